import type { Json } from '../../documents/json.js';

/** The properties of an object schema, whatever it is composed of. The schemas are still the document's. */
export interface ObjectShape {
  readonly properties: ReadonlyMap<string, Json>;
  readonly required: ReadonlySet<string>;
  /** What alternatives require, where that is not the same. */
  readonly choices?: Choices;
  /** What alternatives require, where a property tells which of them it is. */
  readonly cases?: readonly Cases[];
  /** What may not be given together, since only one of the alternatives may hold. */
  readonly exclusions?: readonly Exclusion[];
  /** How many members it has at least, where that is said. */
  readonly least?: number;
  /** Whether it says more of an object than is merged, so that what it names may not be all that it asks for. */
  readonly isLimited?: true;
  /** `additionalProperties`, where something speaks of it. */
  readonly additional?: Json;
  readonly description?: string;
}

/** Sets of names, one of which must be complete. */
export type Choices = readonly (readonly string[])[];

/** What an object needs by the value of one of its properties. */
export interface Cases {
  readonly property: string;
  readonly needs: readonly { readonly values: readonly string[]; readonly required: readonly string[] }[];
}

/** Two sets of names that may not both be complete: each makes another alternative hold, and only one may. */
export type Exclusion = readonly [one: readonly string[], other: readonly string[]];
