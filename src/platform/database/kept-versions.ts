import type { Conditions } from './conditions.js';

/** Two relations with the same columns: rows of tools, or of what is told by them, as they are now, and at each of their versions. */
export interface Versioned {
  readonly present: string;
  readonly kept: string;
  readonly id: string;
  /** Column of `kept` with the version of the tool. */
  readonly version: string;
}

/**
 * A FROM item, to be named: the present rows, and in place of those with these ids the rows at these versions.
 *
 * @param ids SQL of an array of ids, each once
 * @param versions SQL of a `text[]`, the version of each
 */
export function atVersions({ present, kept, id, version }: Versioned, ids: string, versions: string): string {
  return `(SELECT * FROM ${present} WHERE ${id} <> ALL (${ids})
    UNION ALL
    SELECT * FROM ${kept} WHERE (${id}, ${version}) IN (SELECT * FROM unnest(${ids}, ${versions})))`;
}

/** The same under the name of the present relation, which is read alone where nobody keeps to another version: mostly so. */
export function readAtVersions(
  where: Conditions,
  versioned: Versioned,
  kept: readonly { readonly id: string; readonly version: string }[],
): string {
  if (kept.length === 0) return versioned.present;
  const ids = where.bind(
    kept.map(({ id }) => id),
    'uuid[]',
  );
  const versions = where.bind(
    kept.map(({ version }) => version),
    'text[]',
  );
  return `${atVersions(versioned, ids, versions)} ${versioned.present}`;
}
