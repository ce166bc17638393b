import type { Type } from '@nestjs/common';
import type { JSONSchema } from 'json-schema-to-ts';
import type { Link } from './link.js';
import { RecordReads, type Readable, type RecordView } from './record-reads.js';
import { recordRoutes, type RecordRoutesSpec, type Routed } from './record-routes.js';

/** What readers see of a link: its fields, and what `join` shows of the records at its ends. */
export interface LinkView extends Omit<RecordView<Readable, string>, 'from' | 'shows' | 'orderBy'> {
  /** Joined to the link's table, which is `l`: `JOIN skill_t s ON …`. */
  readonly join: string;
  /** Selected from what was joined, under the name of its column: `s.name AS skill_name`. */
  readonly select: string;
  /** Schemas of what was selected, by the name in the answer: `skillName`. */
  readonly shows: Readonly<Record<string, JSONSchema>>;
  /** Column by which lists are ordered. */
  readonly orderBy: string;
}

/** How a link is read: lists of what the record at its first end has, and single ones. */
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

/** How requests speak of a link; where each link is not written alone, reads are all that there is an example of. */
export type LinkRoutesSpec = Pick<
  RecordRoutesSpec,
  'path' | 'operations' | 'access' | 'list' | 'get' | 'put' | 'delete'
> & { readonly example: Pick<RecordRoutesSpec['example'], 'answer'> & Partial<RecordRoutesSpec['example']> };

/** The controllers of a link: list and get, and put and delete where each link is written alone. */
export function linkRoutes(reads: LinkReads, { delete: remove, ...spec }: LinkRoutesSpec): Type[] {
  return recordRoutes(reads, {
    ...spec,
    ...(remove && { delete: { example: { answer: { position: 19 } }, ...remove } }),
    example: { body: {}, receipt: {}, ...spec.example },
  });
}
