import type { Json, JsonObject } from '../../documents/json.js';
import { canonicalJson } from '../../kernel/canonical-json.js';
import { isWithin } from './choices.js';
import type { Exclusion, ObjectShape } from './shape.js';

/** More are not written down: no model would read them. */
const MAX_EXCLUSIONS = 40;

/** What alternatives exclude of each other, of which exactly one may hold; as far as names tell that, and not values. */
export function exclusionsOf(branches: readonly ObjectShape[]): readonly Exclusion[] {
  const pairs = branches.flatMap((one, index) =>
    branches
      .slice(index + 1)
      .filter((other) => holdAlike(one, other))
      .map((other): Exclusion => [[...one.required], [...other.required]]),
  );
  return pairs.length > MAX_EXCLUSIONS ? [] : pairs;
}

/** Whether an object that has what both ask for makes both hold, or none of them. */
function holdAlike(one: ObjectShape, other: ObjectShape): boolean {
  const isPlain = [one, other].every(
    ({ choices, cases, exclusions, isLimited }) =>
      (choices ?? cases ?? exclusions ?? isLimited) === undefined,
  );
  const shared = [...one.properties].filter(([name]) => other.properties.has(name));
  const isSame = shared.every(([name, schema]) => isEqual(schema, other.properties.get(name) ?? null));
  return isPlain && isSame && takesAll(one, other.required) === takesAll(other, one.required);
}

const takesAll = ({ additional, properties }: ObjectShape, names: ReadonlySet<string>): boolean =>
  additional !== false || [...names].every((name) => properties.has(name));

const isEqual = (one: Json, other: Json): boolean =>
  canonicalJson({ schema: one }) === canonicalJson({ schema: other });

/**
 * The exclusions as pairs of `if` and `then`: `not` at the root would be shorter, but makers of models refuse tools that have it there.
 *
 * @param given names that are there anyway
 * @param possible names that can be given; others are of answers alone
 */
export function rulesOfExclusions(
  exclusions: readonly Exclusion[],
  given: readonly string[],
  possible: readonly string[],
): readonly JsonObject[] {
  const left = exclusions
    .filter((pair) => pair.flat().every((name) => possible.includes(name)))
    .map((pair) => pair.map((set) => set.filter((name) => !given.includes(name)).sort()))
    .filter(([one = [], other = []]) => !isWithin(one, other) && !isWithin(other, one));
  const others = new Map<string, string[][]>();
  for (const [one = [], other = []] of left) {
    const key = JSON.stringify(one);
    others.set(key, [...(others.get(key) ?? []), other]);
  }
  return [...others].map(([one, sets]) => ({
    if: { required: JSON.parse(one) as string[] },
    then: { not: anyComplete(sets) },
  }));
}

function anyComplete(sets: readonly string[][]): JsonObject {
  const complete = sets.map((required) => ({ required }));
  const [only = {}] = complete;
  return complete.length > 1 ? { anyOf: complete } : only;
}
