import { isDeepStrictEqual } from 'node:util';
import type { Fields } from './endpoint.layers.js';
import { gradeInput, gradeOutput } from '../../../packages/schema-grade/schema-grade.js';
import { isObject } from '../../documents/json.js';
import { exceeds, tierOf } from '../../platform/auth/sensitivity-tier.js';
import { newlyAddressesModel } from '../../platform/validation/untrusted-text.js';

/**
 * Grades of the change of a field, worst first. `breaking`: a call that was fine may fail. `suspicious`: a guard is loosened, a
 * safety flag turns, or a text begins to address the model, as when a tool turns bad after it was approved.
 */
export const changeGrades = ['breaking', 'suspicious', 'compatible', 'wording'] as const;
export type ChangeGrade = (typeof changeGrades)[number];
/** Grades of changes that wait to be accepted in quarantine; compatible changes and wording break no caller. */
export const quarantinedGrades: readonly ChangeGrade[] = ['breaking', 'suspicious'];
/** Field (dot path) to the grade of its change. */
export type FieldGrades = Readonly<Record<string, ChangeGrade>>;

/** Names of the fields that differ, ordered; a field that is absent differs from one that is there. */
export function differences(before: Fields, after: Fields): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => !isDeepStrictEqual(before.get(name), after.get(name))).sort();
}

/** The grades of the changes of several fields. */
export interface Grading {
  /** The worst of each. */
  readonly grades: FieldGrades;
  /** Fields whose change is suspicious, whether or not it breaks as well: only administrators may accept it. */
  readonly suspicious: readonly string[];
}

export function gradingOf(before: Fields, after: Fields, fields: readonly string[]): Grading {
  const graded = fields.map((field) => {
    const [was, is] = [before.get(field), after.get(field)];
    const grade = callGradeOf(field, was, is);
    return { field, grade, suspicious: isSuspicious(field, was, is) };
  });
  return {
    grades: Object.fromEntries(
      graded.map(({ field, grade, suspicious }) => [
        field,
        suspicious && grade !== 'breaking' ? 'suspicious' : grade,
      ]),
    ),
    suspicious: graded.filter(({ suspicious }) => suspicious).map(({ field }) => field),
  };
}

export function worstOf(grades: FieldGrades): ChangeGrade {
  const found = new Set(Object.values(grades));
  return changeGrades.find((grade) => found.has(grade)) ?? 'wording';
}

type Grader = (before: unknown, after: unknown) => ChangeGrade;

/** Whether only administrators may accept the change of a field. */
export function isSuspicious(field: string, before: unknown, after: unknown): boolean {
  return guardGraders.get(field)?.(before, after) === 'suspicious' || beginsToAddress(before, after);
}

/** Grades the change of a field by what it means for callers and guards, without its texts. */
export function callGradeOf(field: string, before: unknown, after: unknown): ChangeGrade {
  // The value is the same; only the layer that it comes from changed.
  if (isDeepStrictEqual(before, after)) return 'wording';
  return graders.get(field)?.(before, after) ?? 'wording';
}

/**
 * What is known of two objects is not asked again: one write asks for its number, its mark and its review. Values are never changed
 * once they are read.
 */
function remembering<Known extends string | boolean>(
  ask: (before: unknown, after: unknown) => Known,
): typeof ask {
  const answers = new WeakMap<object, WeakMap<object, Known>>();
  const nothing = {};
  return (before, after) => {
    const former = before ?? nothing;
    if (!isObject(former) || !isObject(after)) return ask(before, after);
    const ofFormer = answers.get(former) ?? new WeakMap<object, Known>();
    answers.set(former, ofFormer);
    const known = ofFormer.get(after) ?? ask(before, after);
    ofFormer.set(after, known);
    return known;
  };
}

const schema = (grade: typeof gradeInput): Grader =>
  remembering((before, after) => {
    const found = grade(before, after);
    return found === 'none' ? 'wording' : found;
  });

const beginsToAddress = remembering(newlyAddressesModel);

/** Grades a flag that turns as suspicious, in either direction: the approved value was another. */
const turned: Grader = (before, after) =>
  (before === true) === (after === true) ? 'compatible' : 'suspicious';
const cleared: Grader = (before, after) => (before === true && after !== true ? 'suspicious' : 'compatible');
const lowered: Grader = (before, after) =>
  exceeds(tierOf(textOf(before)), tierOf(textOf(after))) ? 'suspicious' : 'compatible';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Graders of fields whose change may be suspicious whatever their texts are. */
const guardGraders: ReadonlyMap<string, Grader> = new Map<string, Grader>([
  ['safety.readOnly', turned],
  ['safety.destructive', turned],
  ['safety.humanApprovalRequired', cleared],
  [
    'safety.approvalWorkflow',
    (before, after) => (after === undefined || after === before ? 'compatible' : 'suspicious'),
  ],
  ['routing.sensitivityTier', lowered],
]);

const graders: ReadonlyMap<string, Grader> = new Map<string, Grader>([
  ...guardGraders,
  ['inputSchema', schema(gradeInput)],
  ['outputSchema', schema(gradeOutput)],
  ['method', () => 'breaking'],
  ['path', () => 'breaking'],
  ['scopes', gradeScopes],
  ['safety.idempotent', () => 'compatible'],
  ['routing.parameters', () => 'compatible'],
  ['lifecycleStatus', () => 'compatible'],
]);

/** Scopes that are looked up before a comparison gives up and calls the change breaking. */
const MAX_LOOKUPS = 200_000;

/** A caller who could meet one of the sets must be able to meet one of the new ones. */
function gradeScopes(before: unknown, after: unknown): ChangeGrade {
  const [held, wanted] = [scopeSets(before), scopeSets(after)];
  let lookups = 0;
  const meets = (scopes: readonly string[]) => {
    const own = new Set(scopes);
    return wanted.some((needed) => needed.every((scope) => ++lookups <= MAX_LOOKUPS && own.has(scope)));
  };
  return held.every((scopes) => lookups <= MAX_LOOKUPS && meets(scopes)) ? 'compatible' : 'breaking';
}

/** Each set as names; where nothing is demanded, one set of nothing. */
function scopeSets(scopes: unknown): readonly (readonly string[])[] {
  const sets = (Array.isArray(scopes) ? scopes : []) as { scheme: string; scopes: string[] }[][];
  if (sets.length === 0) return [[]];
  return sets.map((needed) =>
    needed.flatMap(({ scheme, scopes: names }) => [scheme, ...names.map((name) => `${scheme} ${name}`)]),
  );
}
