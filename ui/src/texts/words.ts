import type { en } from './en.ts';

/** The shape of a catalog of texts, as the English one has it. */
type Words<Catalog> = {
  readonly [Name in keyof Catalog]: Catalog[Name] extends string
    ? string
    : Catalog[Name] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : Words<Catalog[Name]>;
};
export type Texts = Words<typeof en>;
