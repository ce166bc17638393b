import { Delete, Put, type Type } from '@nestjs/common';
import type { JSONSchema } from 'json-schema-to-ts';
import type { NotFound } from '../../eventsourcing/errors.js';
import type { Sql } from '../../eventsourcing/sql.js';
import type { Visibility } from '../auth/visibility.js';
import type { Conditions } from '../database/conditions.js';
import { listPage } from '../database/page.js';
import type { OperationSpec } from '../http/operation.js';
import {
  listAnswer,
  listQuery,
  receiptAnswer,
  recordMembers,
  recordProperties,
  type ListQuery,
} from '../http/schemas.js';
import type { UseCase, Writer } from '../use-cases/use-case.js';
import { bodyOf, columnOf, shownOf } from './fields.js';
import type { Link } from './link.js';
import { readRoute, writeRoute } from './routes.js';

type Ids = Readonly<Record<string, string>>;
type Row = Readonly<Record<string, unknown>>;

/** What readers see of a link: its fields, and what `join` shows of the records at its ends. */
export interface LinkView {
  /** Joined to the link's table, which is `l`: `JOIN skill_t s ON …`. */
  readonly join: string;
  /** Selected from what was joined, under the name of its column: `s.name AS skill_name`. */
  readonly select: string;
  /** Schemas of what was selected, by the name in the answer: `skillName`. */
  readonly shows: Readonly<Record<string, JSONSchema>>;
  /** Column by which lists are ordered, and the one that breaks ties: the last end unless said otherwise. */
  readonly orderBy: string;
  readonly id?: string;
  /** Throws NotFound where the reader does not see the record at the first end. */
  readonly requireParent: (sql: Sql, visibility: Visibility, id: string) => Promise<unknown>;
  /** The links that the reader sees of the record at the first end. */
  readonly visible: (visibility: Visibility, id: string) => Conditions;
  /** Whether a link that was taken away is still read by its ends; lists say by `active` what they want. */
  readonly keepsRemoved?: true;
  /** Gives, once for a read, what completes each row by what no join can say. */
  readonly completing?: (sql: Sql, visibility: Visibility, id: string) => Promise<(row: Row) => object>;
}

/** What reading must know of a link. */
export type LinkReading = Pick<Link, 'table' | 'ends' | 'fields'> & {
  missing(ends: Ids): NotFound;
};

/** How a link is read: lists and single ones. */
export class LinkReads {
  private readonly from: string;

  constructor(
    readonly link: LinkReading,
    readonly view: LinkView,
  ) {
    this.from = `(SELECT l.*, ${view.select} FROM ${link.table} l ${view.join}) AS link`;
  }

  /** Throws NotFound where there is no such record at the first end. */
  async list(
    sql: Sql,
    visibility: Visibility,
    ids: Ids,
    { active, limit, cursor }: ListQuery,
  ): Promise<{ items: Row[]; nextCursor?: string }> {
    const [parent = '', ...others] = Object.keys(this.link.ends);
    await this.view.requireParent(sql, visibility, ids[parent] ?? '');
    const where = this.seenBy(visibility, { [parent]: ids[parent] ?? '' });
    if (active !== 'all') where.add('active = ?', active === 'true');
    const { rows, ...next } = await listPage<Row>(sql, {
      ...{ select: '*', from: this.from, where, text: this.view.orderBy },
      ...{ id: this.view.id ?? columnOf(others.at(-1) ?? parent), limit, cursor },
    });
    return { items: await this.answersOf(sql, visibility, ids, rows), ...next };
  }

  /** Throws NotFound, also where the link was taken away unless the view keeps it. */
  async get(sql: Sql, visibility: Visibility, ids: Ids): Promise<Row> {
    const [parent = ''] = Object.keys(this.link.ends);
    await this.view.requireParent(sql, visibility, ids[parent] ?? '');
    const where = this.seenBy(visibility, ids);
    if (this.view.keepsRemoved !== true) where.add('active');
    const rows = await sql.query<Row>(`SELECT * FROM ${this.from} ${where.sql()}`, where.values);
    const [answer] = await this.answersOf(sql, visibility, ids, rows);
    if (answer === undefined) throw this.link.missing(ids);
    return answer;
  }

  private seenBy(visibility: Visibility, ids: Ids): Conditions {
    const [parent = ''] = Object.keys(this.link.ends);
    const where = this.view.visible(visibility, ids[parent] ?? '');
    for (const [name, id] of Object.entries(ids)) where.add(`${columnOf(name)} = ?`, id);
    return where;
  }

  private async answersOf(sql: Sql, visibility: Visibility, ids: Ids, rows: readonly Row[]): Promise<Row[]> {
    const [parent = ''] = Object.keys(this.link.ends);
    const completed = await this.view.completing?.(sql, visibility, ids[parent] ?? '');
    const names = [this.link.ends, this.link.fields, this.view.shows, recordProperties].flatMap(Object.keys);
    return rows.map((row) => ({
      ...Object.fromEntries(names.map((name) => [name, row[columnOf(name)]])),
      ...completed?.(row),
    }));
  }
}

type Texts = Pick<OperationSpec, 'summary' | 'description'>;
type WriteTexts = Texts & { readonly useCase: new (writer: Writer, input: never) => UseCase<unknown> };

/** How requests speak of a link. */
export interface LinkRoutesSpec {
  /** Below the host, without the ends but the first: `skills/:skillId/dependencies`. */
  readonly path: string;
  /** Stem of the operation ids: `listSkillDependencies`, `putSkillDependency`. */
  readonly operations: { readonly one: string; readonly many: string };
  /** Where it is not `catalog:read` for reads and `catalog:write` for writes. */
  readonly access?: Pick<OperationSpec, 'scope'>;
  readonly list: Texts;
  readonly get: Texts;
  readonly put?: WriteTexts;
  readonly delete?: WriteTexts;
  /** What is answered to reads; where each link is written alone, a body and what is answered to that. */
  readonly example: { readonly answer: object; readonly body?: object; readonly receipt?: object };
}

/** The schema of a link as it is read. */
export function linkAnswer({ ends, fields }: Pick<Link, 'ends' | 'fields'>, { shows }: LinkView): JSONSchema {
  const shown = Object.fromEntries(
    Object.entries({ ...ends, ...fields }).map(([name, { answered }]) => [name, answered]),
  );
  return {
    type: 'object',
    required: [...Object.keys({ ...shown, ...shows }), ...recordMembers],
    properties: {
      ...shown,
      ...shows,
      ...recordProperties,
      active: { type: 'boolean', description: 'False: the link was taken away.' },
    },
  };
}

/** The controllers of a link: list and get, and put and delete where each link is written alone. */
export function linkRoutes(reads: LinkReads, spec: LinkRoutesSpec): Type[] {
  const { link, view } = reads;
  const { path, operations, access, example } = spec;
  const [, ...others] = Object.keys(link.ends);
  const one = [path, ...others.map((end) => `:${end}`)].join('/');
  const answer = linkAnswer(link, view);
  const params = shownOf(link.ends);
  const read = { scope: 'catalog:read', ...access } as const;
  const write = { scope: 'catalog:write', ...access, params, answer: receiptAnswer } as const;
  const routes = [
    readRoute<ListQuery>(
      path,
      {
        ...{ id: `list${operations.many}`, ...spec.list, ...read, query: listQuery },
        ...{ answer: listAnswer(answer), example: { answer: { items: [example.answer] } } },
      },
      (sql, { visibility, params: ids, query }) => reads.list(sql, visibility, ids, query),
    ),
    readRoute(
      one,
      {
        ...{ id: `get${operations.one}`, ...spec.get, ...read, params },
        ...{ answer, example: { answer: example.answer } },
      },
      (sql, { visibility, params: ids }) => reads.get(sql, visibility, ids),
    ),
  ];
  if (spec.put !== undefined) {
    const { useCase, ...texts } = spec.put;
    const put = { id: `put${operations.one}`, ...texts, ...write, creates: true } as const;
    const made = { body: bodyOf(link.fields), example: { body: example.body, answer: example.receipt } };
    routes.push(writeRoute([Put, one], { ...put, ...made }, useCase));
  }
  if (spec.delete !== undefined) {
    const { useCase, ...texts } = spec.delete;
    const removed = { ...example.receipt, version: 2, position: 19 };
    const remove = { id: `delete${operations.one}`, ...texts, ...write };
    routes.push(writeRoute([Delete, one], { ...remove, example: { answer: removed } }, useCase));
  }
  return routes;
}
