import { asYaml, parsedAnswer, printAnswer, type OutputOptions } from './output.js';

/** What a write answers; `id`, `version` and `position` are for scripts. */
interface Receipt {
  readonly id?: string;
  readonly changed?: boolean;
  readonly impact?: Impact;
  readonly conflicts?: readonly { readonly detail?: string }[];
}

/** What a switch affects. */
export interface Impact {
  readonly tools: readonly { readonly name: string }[];
  readonly skills: readonly { readonly name: string; readonly effect: string }[];
  readonly agents: readonly { readonly name: string }[];
  readonly workflows: readonly { readonly namespace: string; readonly name: string }[];
}

/** Members that people need not see. */
const bare = ['id', 'version', 'position', 'changed', 'impact', 'conflicts'];

/** Prints what a write has done. */
export function printReceipt(
  options: OutputOptions & { readonly ids?: boolean },
  answer: string,
  { label, done }: { readonly label: string; readonly done: string },
): void {
  printAnswer(options, answer, (text) => {
    const receipt = parsedAnswer(text) as Receipt & Readonly<Record<string, unknown>>;
    if (options.ids) return [String(receipt.id)];
    if (isImpact(receipt)) return [`${label}: ${done}`, ...impactLines(receipt)];
    const { id, changed = true, impact, conflicts = [] } = receipt;
    const rest = Object.fromEntries(
      Object.entries(receipt).filter(([name, value]) => !bare.includes(name) && !isEmpty(value)),
    );
    const identity = done === 'made' && id !== undefined ? ` ${id}` : '';
    return [
      `${label}: ${changed ? `${done}${identity}` : 'unchanged'}`,
      ...(impact === undefined ? [] : impactLines(impact)),
      ...conflicts.map(({ detail = '' }) => `  conflict: ${detail}`),
      ...(Object.keys(rest).length === 0
        ? []
        : asYaml(rest)
            .split('\n')
            .map((line) => `  ${line}`)),
    ];
  });
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isImpact(answer: object): answer is Impact {
  return 'agents' in answer && 'workflows' in answer && !('changed' in answer);
}

export function impactLines({ tools, skills, agents, workflows }: Impact): string[] {
  return [
    ...tools.map(({ name }) => `  tool ${name}`),
    ...skills.map(({ name, effect }) => `  skill ${name}: ${effect.replaceAll('_', ' ')}`),
    ...agents.map(({ name }) => `  agent ${name}`),
    ...workflows.map(({ namespace, name }) => `  workflow ${namespace}/${name}`),
  ];
}
