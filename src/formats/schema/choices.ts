import { byCodePoint, type JsonObject } from '../../documents/json.js';
import type { Cases, Choices, ObjectShape } from './shape.js';

/** More are not written down: no model would read them. */
const MAX_SETS = 16;
const MAX_CASES = 32;

/** The least number of members, where that is said, of several that hold at once (`Math.max`) or one at a time (`Math.min`). */
export function leastOf(
  shapes: readonly ObjectShape[],
  among: (...counts: number[]) => number,
): Pick<ObjectShape, 'least'> {
  const least = among(...shapes.map((shape) => shape.least ?? 0));
  return least > 0 ? { least } : {};
}

/** Both hold: each set of the one with each of the other. */
export function bothOf(one: Choices | undefined, other: Choices | undefined): Choices | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (one.length * other.length > MAX_SETS) return one;
  return shortest(one.flatMap((set) => other.map((more) => [...set, ...more])));
}

/** One of several holds, each with what it requires and what it leaves a choice of. */
export function eitherOf(
  branches: readonly Pick<ObjectShape, 'required' | 'choices'>[],
): Choices | undefined {
  return shortest(
    branches.flatMap(({ required, choices = [[]] }) => choices.map((set) => [...required, ...set])),
  );
}

/** What else an object has, and takes. */
interface Context {
  /** Names that are there anyway. */
  readonly given: readonly string[];
  /** Names of the properties that can be given; others are of answers alone. */
  readonly possible: readonly string[];
  readonly described: ReadonlyMap<string, unknown>;
  /** Whether it takes no names but those that it describes. */
  readonly isClosed: boolean;
}

/** What is left of the choices once some names are there anyway, and some can't be given. */
export function choicesAmong(
  choices: Choices | undefined,
  { given, possible, described, isClosed }: Context,
): Choices | undefined {
  const left = (name: string): boolean =>
    (possible.includes(name) || !described.has(name)) && !given.includes(name);
  const sets = choices?.filter((set) => !isClosed || set.every((name) => described.has(name)));
  return sets === undefined || sets.length === 0 ? undefined : shortest(sets.map((set) => set.filter(left)));
}

/** Without sets that hold another one. Undefined where nothing is asked for, or too much to be said. */
function shortest(sets: Choices): Choices | undefined {
  const distinct = new Map(
    sets.map((set) => [...new Set(set)].sort()).map((set) => [JSON.stringify(set), set]),
  );
  const all = [...distinct.values()];
  const kept = all.filter((set) => !all.some((other) => other !== set && isWithin(other, set)));
  return kept.length > MAX_SETS || kept.some((set) => set.length === 0) ? undefined : kept;
}

export const isWithin = (set: readonly string[], other: readonly string[]): boolean =>
  set.every((name) => other.includes(name));

/**
 * The choices as keywords of an object schema: without all sets but the last, the last is required. `anyOf` at the
 * root would be shorter, but makers of models refuse tools that have one there.
 *
 * @param sent names of which one must be there before anything is asked for; without them it always is
 */
export function keywordsOf(choices: Choices, sent?: readonly string[]): JsonObject {
  const sets: JsonObject[] = choices.map((required) => ({ required: [...required] }));
  const [last, ...others] = sets.reverse();
  if (last === undefined) return {};
  const anySent = sent && { anyOf: sent.toSorted(byCodePoint).map((name) => ({ required: [name] })) };
  const noOther = others.length > 0 ? { not: { anyOf: others } } : undefined;
  const conditions = [anySent, noOther].filter((condition) => condition !== undefined);
  const [only = {}] = conditions;
  return { if: conditions.length > 1 ? { allOf: conditions } : only, then: last };
}

/** The cases as keywords of an object schema; none where nothing is asked for, or too much to be said. */
export function keywordsOfCases(
  { property, needs }: Cases,
  given: readonly string[],
  possible: readonly string[],
): JsonObject {
  const left = (name: string): boolean => possible.includes(name) && !given.includes(name);
  const asked = needs
    .map(({ values, required }) => ({ values, required: required.filter(left).sort(byCodePoint) }))
    .filter(({ required }) => required.length > 0);
  if (asked.length === 0 || asked.length > MAX_CASES || !possible.includes(property)) return {};
  const rules: JsonObject[] = asked.map(({ values, required }) => ({
    if: {
      required: [property],
      properties: {
        [property]: values.length === 1 ? { const: values[0] as string } : { enum: [...values] },
      },
    },
    then: { required },
  }));
  return allOfThem(rules);
}

/** Several pairs of `if` and `then` in one: a schema has no place for a second. */
export function allOfThem(rules: readonly JsonObject[]): JsonObject {
  const [only = {}] = rules;
  return rules.length > 1 ? { if: { type: 'object' }, then: { allOf: [...rules] } } : only;
}
