/** Prints the report of an import. Pure. */
import { CliFault, exitCodes, program } from './output.js';
import { inReviewLines, type VersionInReview } from './registry-waiting.js';

interface FieldChange {
  readonly field: string;
  readonly grade: string;
  readonly at: string;
  readonly before?: string;
  readonly after?: string;
}

interface Item {
  readonly endpointId?: string;
  readonly endpoint: string;
  readonly name: string;
  readonly change: string;
  readonly breaking: boolean;
  readonly suspicious: readonly string[];
  readonly changes: readonly FieldChange[];
}

interface Conflict {
  readonly endpoint: string;
  readonly field: string;
  readonly kept: unknown;
  readonly offered: unknown;
  readonly layer: string;
  /** Set where the conflict is about a name. */
  readonly code?: string;
  readonly detail?: string;
}

export interface ImportReport {
  readonly apiVersionId?: string;
  readonly apiId?: string;
  readonly apiVersion: string;
  readonly format: string;
  readonly formatVersion: string;
  readonly total: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly deactivated: number;
  readonly reactivated: number;
  /** With --publish. */
  readonly published?: number;
  readonly leftOut?: readonly { readonly name: string }[];
  readonly unpublished: number;
  readonly items: readonly Item[];
  readonly reach: {
    readonly skills: readonly { readonly name: string; readonly tools: readonly string[] }[];
    readonly agents: readonly {
      readonly name: string;
      readonly serviceId: string;
      readonly envTag: string;
    }[];
  };
  readonly inReview: readonly VersionInReview[];
  readonly withheld: readonly WithheldTool[];
  /** Written operations that break, or fit again. */
  readonly operations: readonly {
    readonly toolName: string;
    readonly version: string;
    readonly change: string;
    readonly faults: readonly string[];
  }[];
  readonly warnings: readonly { readonly code: string; readonly pointer: string; readonly detail: string }[];
  readonly conflicts: readonly Conflict[];
}

/** Lines of one kind that are printed; the others are counted. */
const MAX_LINES = 20;

export function describedImport(
  report: ImportReport,
  { dryRun = false, publish = false }: { readonly dryRun?: boolean; readonly publish?: boolean },
): string[] {
  const { added, changed, unchanged, deactivated, reactivated } = report;
  return [
    `${report.format} ${report.formatVersion}, ${String(report.total)} endpoints, version ${report.apiVersion}${report.apiId === undefined ? '' : ` of ${report.apiId}`}${dryRun ? ' (dry run: nothing was written)' : ''}`,
    `  ${String(added)} added, ${String(changed)} changed, ${String(unchanged)} unchanged, ${String(deactivated)} deactivated, ${String(reactivated)} reactivated`,
    ...changeLines(report.items),
    ...reachLines(report.reach),
    ...report.warnings.map(
      ({ code, pointer, detail }) => `  warning ${code} at ${pointer || '/'}: ${detail}`,
    ),
    ...counted(report.conflicts.map(conflictLine), 'conflicts'),
    ...(report.published === undefined ? [] : [`  ${String(report.published)} tools published`]),
    ...leftOutLines(report.leftOut ?? []),
    ...inReviewLines(report.inReview, MAX_LINES),
    ...withheldLines(report.withheld),
    ...counted(report.operations.map(operationLine), 'operations'),
    ...(dryRun ? [] : [`API version ${report.apiVersionId ?? ''}`]),
    ...nextLines(report, dryRun, publish),
  ];
}

/** Lists changed tools, worst first, and the names of new ones. */
function changeLines(items: readonly Item[]): string[] {
  const added = items.filter(({ change }) => change === 'added').map(({ name }) => name);
  const different = items
    .filter(({ change }) => change !== 'added' && change !== 'unchanged')
    .toSorted((a, b) => rankOf(a) - rankOf(b));
  const blocks = different
    .slice(0, MAX_LINES)
    .flatMap((item) => [
      `  ${item.change} ${item.name}, ${item.endpoint}${gradeOf(item)}`,
      ...item.changes.map(
        ({ field, at, grade, before = '(none)', after = '(none)' }) =>
          `    ${grade}  ${field}${at === '' ? '' : ` ${at}`}: ${before} → ${after}`,
      ),
    ]);
  return [
    ...(added.length > 0 ? [`  added ${named(added)}`] : []),
    ...blocks,
    ...(different.length > MAX_LINES
      ? [`  … ${String(different.length - MAX_LINES)} more: --json shows all`]
      : []),
  ];
}

function gradeOf(item: Item): string {
  const said = [...(item.breaking ? ['breaking'] : []), ...(isSuspicious(item) ? ['suspicious'] : [])];
  return said.length > 0 ? `: ${said.join(', ')}` : '';
}

const isSuspicious = ({ suspicious }: Item): boolean => suspicious.length > 0;
const rankOf = (item: Item): number => (item.breaking ? 0 : isSuspicious(item) ? 1 : 2);

function reachLines({ skills, agents }: ImportReport['reach']): string[] {
  return [
    ...skills.slice(0, MAX_LINES).map(({ name, tools }) => `  reaches the skill ${name} (${named(tools)})`),
    ...agents
      .slice(0, MAX_LINES)
      .map(({ name, serviceId, envTag }) => `  reaches the agent ${name} (${serviceId}, ${envTag})`),
    ...(Math.max(skills.length, agents.length) > MAX_LINES ? ['  … and more: --json shows all'] : []),
  ];
}

function conflictLine({ endpoint, field, kept, offered, layer, detail }: Conflict): string {
  if (detail !== undefined) return `  conflict at ${endpoint}: ${detail}`;
  return `  conflict at ${endpoint}: ${field} stays ${short(kept)}; the layer ${layer} says ${short(offered)}`;
}

function leftOutLines(leftOut: readonly { readonly name: string }[]): string[] {
  if (leftOut.length === 0) return [];
  const names = named(leftOut.map(({ name }) => name));
  return [
    `  not published, for an agent can't call a stream: ${names}. publish --endpoint <endpointId> does it all the same.`,
  ];
}

function nextLines(
  { apiVersionId = '', conflicts, unpublished }: ImportReport,
  dryRun: boolean,
  publish: boolean,
) {
  const isName = ({ code }: Conflict): boolean => code !== undefined;
  const prefixed = dryRun
    ? 'import with --publish --on-conflict prefix'
    : `${program} publish --api-version ${apiVersionId} --on-conflict prefix`;
  return [
    ...(conflicts.some(isName) ? [`To settle the names: ${prefixed}`] : []),
    ...(conflicts.every(isName)
      ? []
      : ['To settle the others: POST …/endpoints/{endpointId}/conflicts/settle {"field": …, "take": …}']),
    ...(!dryRun && !publish && unpublished > 0
      ? [
          `Next: ${program} publish --api-version ${apiVersionId}   (${String(unpublished)} endpoints are no tools yet)`,
        ]
      : []),
  ];
}

function counted(lines: readonly string[], what: string): string[] {
  if (lines.length <= MAX_LINES) return [...lines];
  return [
    ...lines.slice(0, MAX_LINES),
    `  … ${String(lines.length - MAX_LINES)} more ${what}: --json shows all`,
  ];
}

function operationLine({
  toolName,
  version,
  change,
  faults: [first],
}: ImportReport['operations'][number]): string {
  const how = change === 'breaks' ? 'its operation breaks' : 'its operation fits again';
  return `  ${toolName} ${version}: ${how}${first === undefined ? '' : `: ${first}`}`;
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, 10).join(', ');
  return names.length > 10 ? `${shown} and ${String(names.length - 10)} more` : shown;
}

function short(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

/** Reasons that --fail-on knows. */
const failures = ['breaking', 'suspicious', 'conflict'] as const;
export type Failure = (typeof failures)[number];

/** Reads `--fail-on`, which may be given several times. Throws CliFault for an unknown value. */
export function failuresOf(value: string, before: readonly Failure[]): readonly Failure[] {
  const values = value.split(',').map((each) => each.trim());
  const wrong = values.find((each) => !failures.some((known) => known === each));
  if (wrong === undefined) return [...before, ...(values as Failure[])];
  const detail = `--fail-on ${wrong}: say one or more of ${failures.join(', ')}, with commas between.`;
  throw new CliFault(exitCodes.usage, detail);
}

/** Lists the reasons why the import fails. */
export function faultsOfImport(report: ImportReport, asked: readonly Failure[]): string[] {
  const found: Readonly<Record<Failure, readonly string[]>> = {
    breaking: [
      ...report.items.filter(({ breaking }) => breaking).map(({ name }) => name),
      ...report.operations
        .filter(({ change }) => change === 'breaks')
        .map(({ toolName, version }) => `${toolName} ${version}`),
    ],
    suspicious: [
      ...report.items.filter(isSuspicious).map(({ name }) => name),
      ...report.warnings
        .filter(({ code }) => code === 'text_addresses_model')
        .map(({ pointer }) => `the text at ${pointer}`),
    ],
    conflict: report.conflicts.map(({ endpoint }) => endpoint),
  };
  return failures
    .filter((failure) => asked.includes(failure) && found[failure].length > 0)
    .map((failure) => `${failure}: ${named(found[failure])}`);
}

/** A tool that a write leaves withheld until its change is accepted. */
export interface WithheldTool {
  /** Absent where a dry run would create the tool. */
  readonly toolId?: string;
  readonly toolName: string;
  readonly grade: string;
  readonly fields: readonly string[];
  readonly suspicious: readonly string[];
}

/** Prints a line for each tool, and how to accept it. */
export function withheldLines(withheld: readonly WithheldTool[]): string[] {
  if (withheld.length === 0) return [];
  return [
    `  ${withheld.length === 1 ? '1 tool is' : `${String(withheld.length)} tools are`} withheld from agents until somebody accepts what is new:`,
    ...withheld.map(({ toolId, toolName, grade, fields, suspicious }) => {
      const id = toolId === undefined ? '' : `  ${toolId}`;
      const grades = suspicious.length > 0 && grade !== 'suspicious' ? `${grade}, suspicious` : grade;
      return `    ${toolName}: ${grades} (${fields.join(', ')})${id}`;
    }),
    '  GET …/tools/<toolId>/versions/<version>/report shows it, and its digest. Somebody else accepts it, with catalog:approve (a suspicious one needs catalog:admin too):',
    `    ${program} changes accept <toolId> --digest <digest>`,
  ];
}
