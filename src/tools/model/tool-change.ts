import {
  callGradeOf,
  type ChangeGrade,
  differences,
  type Fields,
  fieldsOf,
  gradingOf,
  worstOf,
} from '../../endpoints/shared.js';
import { RuleBroken } from '../../kernel/errors.js';
import { newlyAddressesModel } from '../../platform/validation/untrusted-text.js';
import { numberAfter } from '../../registry/shared.js';
import type { ChangeMark, KeptByEndpoint, ToolFields, ToolInvocation, ToolOverrides } from './tool-facts.js';

/** Grades of a change, each of which raises its own part of the version. */
export const versionGrades = ['breaking', 'compatible', 'wording'] as const satisfies readonly ChangeGrade[];
export type VersionGrade = (typeof versionGrades)[number];

export const firstVersion = '1.0.0';

/**
 * The version after a change (docs/contract.md, section 5): a breaking schema change raises MAJOR, a compatible addition MINOR,
 * wording PATCH. Versions that other tools of the name hold are passed over.
 *
 * @throws RuleBroken `versions_exhausted` where no number is left
 */
export function nextVersion(version: string, grade: VersionGrade, taken: readonly string[] = []): string {
  const next = freeVersion(version, grade, taken);
  if (next !== undefined) return next;
  const detail = `A version can’t be made: no number is left after ${version}. Offer what follows as a tool of another name.`;
  throw new RuleBroken('versions_exhausted', detail);
}

/** Every version that the tool can have after one more change, the present one included. */
export function reachableVersions(version: string, taken: readonly string[] = []): string[] {
  return [version, ...versionGrades.flatMap((grade) => freeVersion(version, grade, taken) ?? [])];
}

/**
 * Refuses a number after which a change of some grade would find none: an import of the whole API would be refused for it, and so
 * would a guard that gets stricter.
 */
export function refuseLastNumber(version: string): void {
  if (versionGrades.every((grade) => freeVersion(version, grade, []) !== undefined)) return;
  const detail = `No number is left after ${version} for a change that breaks callers. Reject it, and take a smaller one.`;
  throw new RuleBroken('versions_exhausted', detail);
}

const steps = { breaking: 'MAJOR', compatible: 'MINOR', wording: 'PATCH' } as const;

/** Ends, since each step is to a higher number: after as many as there are numbers taken. */
function freeVersion(version: string, grade: VersionGrade, taken: readonly string[]): string | undefined {
  const held = new Set(taken);
  let next = numberAfter(version, steps[grade]);
  while (next !== undefined && held.has(next)) next = numberAfter(next, 'PATCH');
  return next;
}

/** Applies the overrides to the fields of the source. */
export function effectiveFields(words: ToolFields, overrides: ToolOverrides): ToolFields {
  return {
    description: overrides.description ?? words.description,
    routing: { ...words.routing, ...overrides.routing },
    safety: { ...words.safety, ...overrides.safety },
    lifecycleStatus: overrides.lifecycleStatus ?? words.lifecycleStatus,
  };
}

/** What a tool shows an agent, by field: dot paths for the members of routing and safety. */
export function shownFields(
  words: ToolFields,
  inputSchema: ToolInvocation['inputSchema'],
  kept: KeptByEndpoint,
): Fields {
  return fieldsOf({ ...words, inputSchema, ...kept });
}

/** The fields that a tool without an endpoint shows an agent. */
export function scriptFields({ words, invocation, outputSchema }: ShownParts): Fields {
  return shownFields(words, invocation.inputSchema, outputSchema === null ? {} : { outputSchema });
}

interface ShownParts {
  readonly words: ToolFields;
  readonly invocation: Pick<ToolInvocation, 'inputSchema'>;
  readonly outputSchema: Readonly<Record<string, unknown>> | null;
}

/** What a change means for the version of the tool: its schemas alone count, all else is wording. */
export function versionGradeOf(before: Fields, after: Fields): VersionGrade {
  const schemas = differences(before, after).filter(isSchema);
  const grade = worstOf(
    Object.fromEntries(
      schemas.map((field) => [field, callGradeOf(field, before.get(field), after.get(field))]),
    ),
  );
  return grade === 'suspicious' ? 'wording' : grade;
}

const isSchema = (field: string): boolean => field === 'inputSchema' || field === 'outputSchema';

/** Whether a field guards a tool: such fields belong to the tool as a whole, whatever version agents are given. */
export function isGuard(field: string): boolean {
  return field.startsWith('safety.') || field === 'routing.sensitivityTier';
}

/** Whether the former version can't be called any more: the endpoint is called by another method, or at another path. */
export function isCalledAnew(fields: readonly string[]): boolean {
  return fields.includes('method') || fields.includes('path');
}

/** The fields with the guards of others. */
export function guardedBy(words: ToolFields, { safety, routing }: ToolFields): ToolFields {
  const { sensitivityTier: _, ...rest } = words.routing;
  const tier = routing.sensitivityTier === undefined ? {} : { sensitivityTier: routing.sensitivityTier };
  return { ...words, safety, routing: { ...rest, ...tier } };
}

/** The words with these guards (dot paths) as the other words have them. */
export function guardsFrom(other: ToolFields, words: ToolFields, fields: readonly string[]): ToolFields {
  return fields.reduce((now, field) => {
    const [part, name] = field.split('.') as ['safety' | 'routing', string];
    const { [name]: _, ...rest } = now[part] as Readonly<Record<string, unknown>>;
    const value = (other[part] as Readonly<Record<string, unknown>>)[name];
    return { ...now, [part]: value === undefined ? rest : { ...rest, [name]: value } };
  }, words);
}

/** The former overrides with the guards of the next, and with what those say to operators alone. */
export function guardsIn(former: ToolOverrides, next: ToolOverrides): ToolOverrides {
  const { sensitivityTier: _, ...routing } = former.routing ?? {};
  const tier = next.routing?.sensitivityTier;
  const own = { ...routing, ...(tier !== undefined && { sensitivityTier: tier }) };
  const { safety: _safety, operatorDescription: _operator, routing: _routing, ...texts } = former;
  return {
    ...texts,
    ...(next.operatorDescription !== undefined && { operatorDescription: next.operatorDescription }),
    ...(next.safety !== undefined && { safety: next.safety }),
    ...(Object.keys(own).length > 0 && { routing: own }),
  };
}

/** What the mark says of the fields that are kept, once the version waits no more; null where it says nothing of them. */
export function partOfMark(mark: ChangeMark | null, keeps: (field: string) => boolean): ChangeMark | null {
  const fields = mark?.fields.filter(keeps) ?? [];
  if (mark === null || fields.length === 0) return null;
  const some = <V>(values: Readonly<Record<string, V>>): Record<string, V> =>
    Object.fromEntries(Object.entries(values).filter(([field]) => keeps(field)));
  const grades = mark.grades && some(mark.grades);
  const { quarantine: _, ...rest } = mark;
  return {
    ...rest,
    fields,
    grade: grades === undefined ? mark.grade : worstOf(grades),
    ...(grades && { grades }),
    ...(mark.suspicious && { suspicious: mark.suspicious.filter(keeps) }),
    before: some(mark.before),
    after: some(mark.after),
  };
}

/** The mark of what differs from the state last accepted, or null where nothing does. */
export function markOf(accepted: Fields, now: Fields): ChangeMark | null {
  const fields = differences(accepted, now);
  if (fields.length === 0) return null;
  const { grades, suspicious } = gradingOf(accepted, now, fields);
  return {
    grade: worstOf(grades),
    fields: [...fields],
    grades,
    suspicious: [...suspicious],
    before: pick(accepted, fields),
    after: pick(now, fields),
  };
}

/**
 * Marks what waits to be accepted in a newly published tool: texts that address the model, its name among them, and guards that a
 * document loosens.
 */
export function firstMark(name: string, inForce: Fields, said: Fields): ChangeMark | null {
  const offered = new Map(said);
  if (newlyAddressesModel(undefined, name)) offered.set('name', name);
  const addressing = [...offered].filter(([, value]) => newlyAddressesModel(undefined, value));
  const loosened = differences(inForce, offered);
  const fields = [...new Set([...addressing.map(([field]) => field), ...loosened])].sort();
  if (fields.length === 0) return null;
  const accepted = new Map(inForce);
  for (const [field] of addressing) accepted.delete(field);
  return {
    grade: 'suspicious',
    fields,
    grades: Object.fromEntries(fields.map((field) => [field, 'suspicious' as const])),
    suspicious: fields,
    before: pick(accepted, fields),
    after: pick(offered, fields),
  };
}

/** The fields whose change only an administrator may accept; computed for marks from before the field `suspicious`. */
export function suspiciousFields({ grade, fields, grades, suspicious, before, after }: ChangeMark): string[] {
  if (suspicious !== undefined) return suspicious;
  if (grades === undefined && grade === 'suspicious') return fields;
  return fields.filter(
    (field) => grades?.[field] === 'suspicious' || newlyAddressesModel(before[field], after[field]),
  );
}

/** The state last accepted: the present one, with the values that the mark keeps put back. */
export function acceptedFields(now: Fields, mark: ChangeMark | null): Fields {
  const accepted = new Map(now);
  for (const [field, value] of Object.entries(mark?.before ?? {})) {
    if (value === null) accepted.delete(field);
    else accepted.set(field, value);
  }
  return accepted;
}

function pick(fields: Fields, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, fields.get(name) ?? null]));
}
