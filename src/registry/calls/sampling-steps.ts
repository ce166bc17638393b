import { isObject, type Json } from '../../documents/json.js';

/**
 * Steps that one call of `sampleValues` may take: a schema looked at, a keyword of it, a value made, and a member of one. Schemas that
 * people write take some thousands, filters of filters some hundred thousands; one that branches into itself takes millions.
 */
export const MOST_STEPS = 1_000_000;
/** Parts of the values, members within members counted, that are looked at later for what one step of making them takes. */
const PARTS = 4;

/** Counts the steps of one call. */
export class SamplingSteps {
  taken = 0;

  constructor(private readonly most: number = MOST_STEPS) {}

  /** @throws OutOfSteps beyond the budget: the call ends there */
  take(count: number): void {
    this.taken += count;
    if (this.taken > this.most) throw new OutOfSteps();
  }

  /**
   * Counts values by all their parts: they share most of these, but whoever tries them looks at each part of each.
   *
   * @throws OutOfSteps
   */
  takeWhole(values: readonly Json[]): void {
    const known = new Map<Json, number>();
    const partsOf = (value: Json): number => {
      if (!isObject(value) && !Array.isArray(value)) return 1;
      const parts =
        known.get(value) ??
        Object.values(value as Readonly<Record<string, Json>>).reduce<number>(
          (sum, inner) => sum + partsOf(inner),
          1,
        );
      known.set(value, parts);
      return parts;
    };
    for (const value of values) this.take(Math.ceil(partsOf(value) / PARTS));
  }
}

/** Never leaves `sampleValues`. */
export class OutOfSteps extends Error {}
