import { Delete, Put, type Type } from '@nestjs/common';
import type { JSONSchema } from 'json-schema-to-ts';
import type { OperationSpec } from '../http/operation.js';
import { listAnswer, receiptAnswer, type ListQuery } from '../http/schemas.js';
import type { UseCase, Writer } from '../use-cases/use-case.js';
import { bodyOf, shownOf } from './fields.js';
import type { Link } from './link.js';
import { RecordReads, type Readable, type RecordView } from './record-reads.js';
import { readRoute, writeRoute, type Params } from './routes.js';

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
export class LinkReads extends RecordReads<Readable, string> {
  constructor(
    { table, ends, fields, missing }: Pick<Link, 'table' | 'ends' | 'fields' | 'missing'>,
    { join, select, shows, ...view }: LinkView,
  ) {
    const shown = Object.entries(shows).map(([name, schema]) => [name, { schema }] as const);
    super(
      { noun: 'link', table, id: ends, fixed: {}, fields, lifecycle: 'deleted', missing },
      {
        ...view,
        from: `(SELECT l.*, ${select} FROM ${table} l ${join}) AS link`,
        shows: Object.fromEntries(shown),
      },
    );
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

/** The controllers of a link: list and get, and put and delete where each link is written alone. */
export function linkRoutes(reads: LinkReads, spec: LinkRoutesSpec): Type[] {
  const { id: ends, fields } = reads.spec;
  const { path, operations, access, example } = spec;
  const [, ...others] = Object.keys(ends);
  const one = [path, ...others.map((end) => `:${end}`)].join('/');
  const { answer, query } = reads;
  const params = shownOf(ends);
  const read = { scope: 'catalog:read', ...access } as const;
  const write = { scope: 'catalog:write', ...access, params, answer: receiptAnswer } as const;
  const routes = [
    readRoute<ListQuery>(
      path,
      {
        ...{ id: `list${operations.many}`, ...spec.list, ...read, query },
        ...{ answer: listAnswer(answer), example: { answer: { items: [example.answer] } } },
      },
      (sql, { visibility, params: ids, query: asked }) => reads.list(sql, visibility, asked, idsOf(ids)),
    ),
    readRoute(
      one,
      {
        ...{ id: `get${operations.one}`, ...spec.get, ...read, params },
        ...{ answer, example: { answer: example.answer } },
      },
      (sql, { visibility, params: ids }) => reads.get(sql, visibility, idsOf(ids)),
    ),
  ];
  if (spec.put !== undefined) {
    const { useCase, ...texts } = spec.put;
    const put = { id: `put${operations.one}`, ...texts, ...write, creates: true } as const;
    const made = { body: bodyOf(fields), example: { body: example.body, answer: example.receipt } };
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

/** What the path names below the host. */
function idsOf({ hostId: _host, ...ids }: Params): Params {
  return ids;
}
