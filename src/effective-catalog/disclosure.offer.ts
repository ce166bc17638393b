/** What is judged, by what, and what a rule is (contract 7; reference 1, Security Rules). Pure. */
import type { Tier } from '../platform/auth/sensitivity-tier.js';
import type { AgentRow, AssignmentRow, EndpointRow, LinkRow, SkillRow, ToolRow } from './catalog.rows.js';

/** One tool, as one skill offers it to one agent. */
export interface Offer {
  readonly agent: AgentRow;
  readonly assignment: AssignmentRow;
  readonly skill: SkillRow;
  /** Ids of skills that this one requires and that are inactive or not assigned. */
  readonly missingSkills: readonly string[];
  readonly link: LinkRow;
  readonly tool: ToolRow;
  /** Absent for a script. */
  readonly endpoint?: EndpointRow | undefined;
  /** Whether a gateway of the agent exposes the tool; undefined where no gateway stands between them. */
  readonly exposed?: boolean | undefined;
}

/** What a request brings to the judgement beside the rows. */
export interface Circumstances {
  /** From the token's `maxSensitivityTier`. */
  readonly tokenTier?: Tier | undefined;
  /** Names of the context at hand; absent where nobody asked: then nothing is withheld for context. */
  readonly context?: ReadonlySet<string> | undefined;
}

/** What the offers are judged by. */
export interface Terms extends Circumstances {
  /** Published, active workflow definitions of the host: each by its `wfDefId` and by `namespace/name`. */
  readonly approvals: ReadonlySet<string>;
}

/** Why a tool is withheld: `reason` is stable, `detail` is for people. */
export interface Objection {
  readonly reason: string;
  readonly detail: string;
}

/** A rule that looks at the agent and the skill alone. */
export type SkillRule = Rule & {
  readonly objection: (skill: Pick<Offer, 'agent' | 'skill' | 'missingSkills'>) => string | undefined;
};

export interface Rule {
  readonly reason: string;
  /** The values that the rule looks at, for those who ask why. */
  readonly compared: (offer: Offer, terms: Terms) => Readonly<Record<string, unknown>>;
  /** What was compared and failed; undefined where the rule lets the tool pass. */
  readonly objection: (offer: Offer, terms: Terms) => string | undefined;
}
