import type { JsonObject } from '../../documents/json.js';
import { allOfThem, choicesAmong, keywordsOf, keywordsOfCases } from './choices.js';
import { rulesOfExclusions } from './exclusions.js';
import type { Choices, ObjectShape } from './shape.js';

/** Where the conditions of a shape stand. */
interface Place {
  readonly shape: ObjectShape;
  /** Sets of names, one of which must be complete: those of the shape, and what else is asked for. */
  readonly choices: Choices | undefined;
  /** Names that are there anyway. */
  readonly given: readonly string[];
  /** Names of the properties that can be given; others are of answers alone. */
  readonly possible: readonly string[];
  /** Names of which one must be there before anything is asked for; without them it always is. */
  readonly sent?: readonly string[] | undefined;
  /** Whether it takes no names but those that it describes. */
  readonly isClosed: boolean;
}

/** What alternatives ask for and exclude, as keywords of the object that they are merged into: a single pair of `if` and `then`. */
export function conditionsOf({ shape, choices, given, possible, sent, isClosed }: Place): JsonObject {
  const left = choicesAmong(choices, { given, possible, described: shape.properties, isClosed });
  const rules = [
    left === undefined ? {} : keywordsOf(left, sent),
    ...(shape.cases ?? []).map((cases) => keywordsOfCases(cases, given, possible)),
    ...rulesOfExclusions(shape.exclusions ?? [], given, possible),
  ];
  return allOfThem(rules.filter((rule) => Object.keys(rule).length > 0));
}
