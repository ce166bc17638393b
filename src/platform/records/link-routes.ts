import type { Type } from '@nestjs/common';
import type { JSONSchema } from 'json-schema-to-ts';
import type { Link } from './link.js';
import { RecordReads, type Readable, type RecordView } from './record-reads.js';
import { recordRoutes, type RecordRoutesSpec, type Routed } from './record-routes.js';

/** How a link is shown: its fields, and those that are joined from the records at its ends. */
export interface LinkView extends Omit<RecordView<Readable, string>, 'from' | 'shows' | 'orderBy'> {
  /** Join to the link's table `l`: `JOIN skill_t s ON …`. */
  readonly join: string;
  /** Columns of the joined tables: `s.name AS skill_name`. */
  readonly select: string;
  /** Schemas of these columns, by their names in answers: `skillName`. */
  readonly shows: Readonly<Record<string, JSONSchema>>;
  /** Member of answers by which lists are ordered. */
  readonly orderBy: string;
}

/** Reads links: the list of those of the record at the first end, and single ones. */
export class LinkReads extends RecordReads<Routed, string> {
  constructor(
    { name, table, ends, fields, missing }: Pick<Link, 'name' | 'table' | 'ends' | 'fields' | 'missing'>,
    { join, select, shows, ...view }: LinkView,
  ) {
    const shown = Object.entries(shows).map(([name, schema]) => [name, { schema }] as const);
    super(
      { name, noun: 'link', table, id: ends, fixed: {}, fields, lifecycle: 'deleted', missing },
      {
        ...view,
        from: `(SELECT l.*, ${select} FROM ${table} l ${join}) AS link`,
        shows: Object.fromEntries(shown),
      },
    );
  }
}

/** The routes of a link; a link that is only written in batches has examples of reads alone. */
export type LinkRoutesSpec = Pick<
  RecordRoutesSpec,
  'path' | 'operations' | 'access' | 'list' | 'get' | 'put' | 'delete'
> & { readonly example: Pick<RecordRoutesSpec['example'], 'answer'> & Partial<RecordRoutesSpec['example']> };

/** Makes the controllers of a link: list and get, and put and delete where links are written one by one. */
export function linkRoutes(reads: LinkReads, { delete: remove, ...spec }: LinkRoutesSpec): Type[] {
  return recordRoutes(reads, {
    ...spec,
    ...(remove && { delete: { example: { answer: { position: 19 } }, ...remove } }),
    example: { body: {}, receipt: {}, ...spec.example },
  });
}
