/** What weighs for or against a searchable beside its texts. */
export interface RankingSignals {
  /** As the operator or the document says; 1 where nothing is said. */
  readonly semanticWeight?: number;
  /** Of the assignment through which the agent is given it. */
  readonly priority?: number;
  /** Of a tool: of its link to that skill. */
  readonly linkPriority?: number;
  readonly lifecycleStatus?: string;
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
}

const lifecycle: Readonly<Record<string, number>> = { draft: 0.9, deprecated: 0.8, retired: 0.2 };

/** The factors whose product multiplies what a searchable scores; each is 1 where nothing speaks for or against. */
export interface Weight {
  /** 0.1 to 10. */
  readonly semantic: number;
  /** That of the assignment times that of the link, each 1 to 1.2: half of it at priority 10. */
  readonly priority: number;
  readonly lifecycle: number;
  /** Who only asks is better served by what changes nothing. */
  readonly safety: number;
}

export function weightOf(signals: RankingSignals, informational: boolean): Weight {
  const { semanticWeight = 1, lifecycleStatus = 'active', readOnly, destructive } = signals;
  return {
    semantic: Math.min(Math.max(semanticWeight, 0.1), 10),
    priority: raisedBy(signals),
    lifecycle: lifecycle[lifecycleStatus] ?? 1,
    safety: !informational ? 1 : readOnly === true ? 1.1 : destructive === true ? 0.8 : 1,
  };
}

function raisedBy({
  priority = 0,
  linkPriority = 0,
}: Pick<RankingSignals, 'priority' | 'linkPriority'>): number {
  const factors = [priority, linkPriority].map((each) => {
    const raised = Math.max(each, 0);
    return 1 + (0.2 * raised) / (raised + 10);
  });
  return factors.reduce((all, factor) => all * factor, 1);
}

/** What a skill says of itself and of a tool that it gives. */
interface Giving {
  readonly skill: { readonly priority: number };
  readonly tool: { readonly config: Readonly<Record<string, unknown>> };
}

/** The priorities by which a tool weighs that several skills give: those of the skill with which it weighs most. */
export function prioritiesOf(givings: readonly Giving[]): { priority: number; linkPriority: number } {
  const all = givings.map(({ skill, tool: { config } }) => {
    const { priority: own } = config;
    return { priority: skill.priority, linkPriority: typeof own === 'number' ? own : 0 };
  });
  return all.reduce((best, each) => (raisedBy(each) > raisedBy(best) ? each : best), {
    priority: 0,
    linkPriority: 0,
  });
}

export const product = ({ semantic, priority, lifecycle: stage, safety }: Weight): number =>
  semantic * priority * stage * safety;

const asking =
  /^\W*(please\s+|can you\s+|could you\s+)?(show|list|find|search|look|get|give|tell|what|which|who|whose|when|where|why|how|is|are|does|do|has|have|check|see|view|read|display|explain|compare)\b/i;
const changing =
  /\b(create|add|open|register|update|change|modify|set|edit|delete|remove|cancel|close|send|pay|transfer|book|buy|order|move|rename|replace|assign|approve|reject|block|enable|disable|start|stop)\b/i;

/** Whether the prompt asks to know and not to change something, as far as English wording tells. */
export function isInformational(prompt: string): boolean {
  return asking.test(prompt) && !changing.test(prompt);
}
