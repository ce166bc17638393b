import type { JsonObject } from '../../documents/json.js';
import type { WarningSink } from '../../documents/findings.js';
import type { Direction, HiddenProperties } from './hidden-properties.js';
import type { SchemaSource } from './schema-source.js';

/** What schemas are copied from and for, and who hears of what is left out. */
export interface Copying {
  readonly source: SchemaSource;
  readonly direction: Direction;
  readonly hidden: HiddenProperties;
  readonly warnings: WarningSink;
}

/** What a copied schema needs of its surroundings, and how far it is from what the document says. */
export interface Trace {
  /** Pointers of the definitions that it refers to. */
  readonly references: Set<string>;
  /** Some constraint was left out: it accepts more than the document says. */
  loose: boolean;
  /** Holds keywords that accept less when what is in them accepts more (`oneOf`, `not`, …). */
  exclusive: boolean;
}

export interface Copied {
  readonly schema: JsonObject;
  readonly trace: Trace;
}

export function newTrace(): Trace {
  return { references: new Set(), loose: false, exclusive: false };
}
