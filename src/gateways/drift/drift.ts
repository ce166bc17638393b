import { isDeepStrictEqual } from 'node:util';
import { byCodePoint, listMember, member, objectMember } from '../../documents/json.js';
import { gradeInput, gradeOutput } from '../../../packages/schema-grade/schema-grade.js';
import type { KnownEndpoint } from '../../endpoints/shared.js';
import { Pace } from '../../kernel/pace.js';
import type { EndpointFacts } from '../../formats/shared.js';
import type { Tier } from '../../platform/auth/sensitivity-tier.js';
import { newlyAddressesModel } from '../../platform/validation/untrusted-text.js';
import type { RuntimeMetadata } from '../exposed-tools.lookup.js';
import type { LiveVersion } from '../live-versions.lookup.js';
import type { UnfitVersion } from '../unfit-versions.lookup.js';
import { versionsMeta } from '../mcp-router.js';
import { blockedBy, type PolicyReason } from '../gateway.rules.js';
import type { Dismissal, DriftRecord, DriftSettlement } from './drift.events.js';

/** Kinds of findings (docs/contract.md, section 9), in the order of one tool's findings. */
export const driftFindings = [
  'in_sync',
  'missing_from_gateway',
  'not_in_catalog',
  'schema_changed',
  'description_changed',
  'annotations_changed',
  'inactive_in_catalog',
  'policy_blocked',
  'version_not_served',
  'operation_unfit',
  'variables_unfit',
] as const;
export type DriftFinding = (typeof driftFindings)[number];

export const driftGrades = ['breaking', 'suspicious', 'compatible'] as const;
type DriftGrade = (typeof driftGrades)[number];

export interface DriftItem {
  readonly toolName: string;
  readonly toolId?: string;
  readonly finding: DriftFinding;
  /**
   * Grade of a changed schema by whether calls that were fine may fail now; otherwise whether a text begins to address the
   * model.
   */
  readonly grade?: DriftGrade;
  /** Of the tool: that whose schema is compared. */
  readonly version?: string;
  /** Names of the skills that keep to the version which is not served. */
  readonly skills?: readonly string[];
  /** The value in the catalog; `after` is that of the gateway. */
  readonly before?: unknown;
  readonly after?: unknown;
  /** Why the gateway's policy blocks it. */
  readonly reason?: PolicyReason;
  /** What the schema of the API makes of the operation that the version calls. */
  readonly details?: readonly string[];
  /** Set where an operator has said that it may stay, and it says the same still. */
  readonly dismissed?: Dismissal;
}

/** A tool of the catalog beside what the gateway lists. */
export interface CatalogTool {
  readonly toolId: string;
  readonly name: string;
  readonly version: string;
  /** Versions beside this newest one that skills keep to. */
  readonly versions: readonly LiveVersion[];
  /** Versions whose operation does not fit the schema of its API any more. */
  readonly unfit: readonly UnfitVersion[];
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>> | null;
  readonly tier: Tier;
  readonly metadata: RuntimeMetadata;
  readonly serviceId: string | null;
  readonly envTag: string | null;
  readonly endpointId: string | null;
  /** The endpoint key. */
  readonly endpoint: string | null;
  /** Whether it is offered: its own flag and its endpoint's, and that it is not retired. */
  readonly active: boolean;
  /** Whether the tool itself is on, whatever becomes of what its newest version calls. */
  readonly isOn: boolean;
  readonly retired: boolean;
  /** The tool's own flag. */
  readonly ownActive: boolean;
  /** Whether it is selected for this gateway. */
  readonly exposed: boolean;
  /** What was accepted of the gateway's list: layer 5 of the endpoint. */
  readonly accepted: EndpointFacts | undefined;
  readonly known: KnownEndpoint | undefined;
}

/** One tool as the gateway lists it. */
export interface LiveTool {
  readonly name: string;
  readonly facts: EndpointFacts;
  /** Hex SHA-256 of the RFC 8785 bytes of the facts. */
  readonly digest: string;
  /** The tool of the catalog that it is, if any. */
  readonly known: CatalogTool | undefined;
}

/**
 * Compares every tool that the gateway lists or should list, ordered by name; one without a finding is in sync. Yields to the
 * event loop between tools.
 */
export async function compareWithGateway(
  live: readonly LiveTool[],
  exposed: readonly CatalogTool[],
  maxTier: Tier,
): Promise<DriftItem[]> {
  const listed = new Set(live.flatMap(({ known }) => known?.toolId ?? []));
  const missing = exposed.filter(({ toolId, active }) => active && !listed.has(toolId));
  const items = [...missing.map((tool) => absent(tool, maxTier)), ...exposed.flatMap(unfitOf)];
  const pace = new Pace();
  for (const tool of live) {
    items.push(...itemsOf(tool, maxTier));
    await pace.step();
  }
  const rank = ({ finding }: DriftItem): number => driftFindings.indexOf(finding);
  return items.sort((a, b) => byCodePoint(a.toolName, b.toolName) || rank(a) - rank(b));
}

function itemsOf({ name: toolName, facts, known }: LiveTool, maxTier: Tier): DriftItem[] {
  if (known === undefined) return [{ toolName, finding: 'not_in_catalog' }];
  const { toolId } = known;
  if (!known.exposed || !known.active) return [{ toolName, toolId, finding: 'inactive_in_catalog' }];
  const reason = blockedBy(known, maxTier);
  const found: Omit<DriftItem, 'toolName' | 'toolId'>[] = [
    ...schemaChange(facts, known),
    ...descriptionChange(facts, known),
    ...annotationsChange(facts, known),
    ...(reason === undefined ? [] : [{ finding: 'policy_blocked' as const, reason }]),
    ...known.versions.flatMap((version) => unserved(facts, version)),
  ];
  if (found.length === 0) return known.unfit.length > 0 ? [] : [{ toolName, toolId, finding: 'in_sync' }];
  return found.map((item) => ({ toolName, toolId, ...item }));
}

/** A gateway leaves out of its list what its policy blocks. */
function absent(tool: CatalogTool, maxTier: Tier): DriftItem {
  const { name, toolId, accepted } = tool;
  const toolName = accepted?.sourceName ?? name;
  const reason = blockedBy(tool, maxTier);
  if (reason === undefined) return { toolName, toolId, finding: 'missing_from_gateway' };
  return { toolName, toolId, finding: 'policy_blocked', reason };
}

/** Whatever the gateway lists: what can't be called stays so, until its author writes the next version or the API goes back. */
function unfitOf({ name, toolId, accepted, unfit }: CatalogTool): DriftItem[] {
  const toolName = accepted?.sourceName ?? name;
  return unfit.map(({ version, skills, code, details }) => {
    return { toolName, toolId, finding: code, grade: 'breaking', version, skills, details };
  });
}

type Change = Omit<DriftItem, 'toolName' | 'toolId'>;

/** A schema that the gateway leaves out is compared only with one that it gave before. */
function schemaChange(
  facts: EndpointFacts,
  { accepted, inputSchema, outputSchema, version }: CatalogTool,
): Change[] {
  const input = { before: accepted?.inputSchema ?? inputSchema, after: facts.inputSchema ?? {} };
  const promised = facts.outputSchema === undefined ? undefined : (outputSchema ?? undefined);
  const output = { before: accepted?.outputSchema ?? promised, after: facts.outputSchema };
  if (isDeepStrictEqual([input.before, output.before], [input.after, output.after])) return [];
  const [before, after] = [schemas(input.before, output.before), schemas(input.after, output.after)];
  const grades = [gradeInput(input.before, input.after), gradeOutput(output.before, output.after)];
  const called: DriftGrade = grades.includes('breaking') ? 'breaking' : 'compatible';
  const grade = called === 'compatible' && newlyAddressesModel(before, after) ? 'suspicious' : called;
  return [{ finding: 'schema_changed', grade, version, before, after }];
}

/**
 * A gateway serves an older version where it lists it among the tool's versions, or where calls of it are fine by what it
 * lists for the tool itself.
 */
function unserved(
  facts: EndpointFacts,
  { version, skills, inputSchema, outputSchema }: LiveVersion,
): Change[] {
  const listed = listMember(objectMember(facts.extras, '_meta'), versionsMeta).find(
    (each) => member(each, 'version') === version,
  );
  const input = objectMember(listed, 'inputSchema') ?? facts.inputSchema ?? {};
  const output = listed === undefined ? facts.outputSchema : objectMember(listed, 'outputSchema');
  const promised = output === undefined ? undefined : (outputSchema ?? undefined);
  const grades = [gradeInput(inputSchema, input), gradeOutput(promised, output)];
  if (!grades.includes('breaking')) return [];
  const [before, after] = [schemas(inputSchema, promised), schemas(input, output)];
  return [{ finding: 'version_not_served', grade: 'breaking', version, skills, before, after }];
}

function schemas(inputSchema: object, outputSchema: object | undefined): object {
  return outputSchema === undefined ? { inputSchema } : { inputSchema, outputSchema };
}

function descriptionChange(facts: EndpointFacts, { accepted, description }: CatalogTool): Change[] {
  const before = accepted?.description ?? (facts.description === undefined ? '' : description);
  const after = facts.description ?? '';
  if (before === after) return [];
  const isSuspicious = newlyAddressesModel(before, after);
  return [
    { finding: 'description_changed', ...(isSuspicious && { grade: 'suspicious' as const }), before, after },
  ];
}

const hints = {
  readOnly: 'readOnlyHint',
  destructive: 'destructiveHint',
  idempotent: 'idempotentHint',
} as const;

function annotationsChange(facts: EndpointFacts, { accepted, metadata }: CatalogTool): Change[] {
  const after = annotationsOf(facts);
  const before =
    accepted?.safety === undefined ? hinted(metadata.safety ?? {}, after) : annotationsOf(accepted);
  return isDeepStrictEqual(before, after) ? [] : [{ finding: 'annotations_changed', before, after }];
}

function annotationsOf({ extras }: EndpointFacts): Readonly<Record<string, unknown>> {
  const annotations = extras?.['annotations'];
  return typeof annotations === 'object' && annotations !== null ? { ...annotations } : {};
}

/** The catalog's flags for the hints that the gateway gives; the catalog has no others. */
function hinted(
  safety: Readonly<Record<string, unknown>>,
  said: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const own = Object.entries(hints)
    .filter(([, hint]) => hint in said)
    .map(([flag, hint]) => [hint, safety[flag] === true] as const);
  return { ...said, ...Object.fromEntries(own) };
}

interface Checked {
  readonly checkedAt: string;
  readonly protocolVersion: string;
}

/** The recorded part of a check: its findings, without the texts that they are about. */
export function recordOf({ checkedAt, protocolVersion }: Checked, items: readonly DriftItem[]): DriftRecord {
  const findings = items
    .filter(({ finding }) => finding !== 'in_sync')
    .map(({ toolName, toolId = null, finding, grade = null, reason = null, version, dismissed }) => ({
      ...{ toolName, toolId, finding, grade, reason },
      ...(version !== undefined && { version }),
      ...(dismissed !== undefined && { dismissed }),
    }));
  return { checkedAt, protocolVersion, failure: null, findings };
}

/** The recorded part of what an operator has decided of findings. */
export function settlementOf(checked: Checked, items: readonly DriftItem[]): DriftSettlement {
  const { checkedAt, protocolVersion } = checked;
  return { checkedAt, protocolVersion, findings: recordOf(checked, items).findings };
}

/** A check that failed. */
export function failureOf(checkedAt: string, code: string, detail: string): DriftRecord {
  return { checkedAt, protocolVersion: null, failure: { code, detail }, findings: [] };
}
