import { Delete, Patch, Post, Put, type Type } from '@nestjs/common';
import type { OperationSpec } from '../http/operation.js';
import { receiptReply } from '../http/replies.js';
import { listAnswer, receiptAnswer, type ListQuery } from '../http/schemas.js';
import type { Receipt, UseCase, Writer } from '../use-cases/use-case.js';
import { bodyOf, patchOf, shownOf } from './fields.js';
import type { RecordReads } from './record-reads.js';
import type { Members, RecordSpec } from './record-spec.js';
import { readRoute, writeRoute, type Replying } from './routes.js';

type Texts = Pick<OperationSpec, 'summary' | 'description'>;

/** A write that the noun has, and what carries it out. */
interface WriteTexts extends Texts {
  readonly useCase: new (writer: Writer, input: never) => UseCase<unknown>;
}

/** How requests speak of a noun. */
export interface RecordRoutesSpec {
  /** Below the host: `tags`. */
  readonly path: string;
  /** Stem of the operation ids: `createTag`, `listTags`. */
  readonly operations: { readonly one: string; readonly many: string };
  /** Where it is not `catalog:read` for reads and `catalog:write` for writes. */
  readonly access?: Pick<OperationSpec, 'scope' | 'confined'>;
  readonly list: Texts & { readonly example?: object };
  readonly get: Texts;
  /** POST: the service makes the id. */
  readonly create?: WriteTexts;
  /** PUT: the caller chooses the id, and writes all fields. */
  readonly put?: WriteTexts;
  readonly update?: WriteTexts & { readonly example: object };
  readonly delete?: WriteTexts;
  readonly activate?: WriteTexts;
  readonly deactivate?: WriteTexts;
  /** The body that makes one, the record as it is answered then, and the receipt. */
  readonly example: { readonly body: object; readonly answer: object; readonly receipt: Members };
}

/** The controllers of a noun, one for each route that it has. */
export function recordRoutes<S extends RecordSpec>(reads: RecordReads<S>, spec: RecordRoutesSpec): Type[] {
  const { path, operations, access, example } = spec;
  const params = shownOf(reads.spec.id);
  const one = `${path}/:${Object.keys(params).join()}`;
  const read = { scope: 'catalog:read', ...access } as const;
  const list = readRoute<ListQuery>(
    path,
    {
      ...{ id: `list${operations.many}`, ...textsOf(spec.list), ...read },
      ...{ query: reads.query, answer: listAnswer(reads.answer) },
      example: { query: spec.list.example ?? {}, answer: { items: [example.answer] } },
    },
    (sql, { visibility, query }) => reads.list(sql, visibility, query),
  );
  const get = readRoute(
    one,
    {
      ...{ id: `get${operations.one}`, ...textsOf(spec.get), ...read, params },
      ...{ answer: reads.answer, example: { answer: example.answer } },
    },
    (sql, { visibility, params }) => reads.get(sql, visibility, Object.values(params).at(-1) ?? ''),
  );
  return [list, get, ...writesOf(reads.spec, spec, [path, one])];
}

/** The controllers of the writes. */
function writesOf(
  { id, fixed, fields, idTaken }: RecordSpec,
  spec: RecordRoutesSpec,
  [all, one]: readonly [all: string, one: string],
): Type[] {
  const { operations, access, example } = spec;
  const params = shownOf(id);
  const body = bodyOf({ ...fixed, ...fields });
  const made = { body: example.body, answer: example.receipt };
  const later = { ...example.receipt, version: 2, position: Number(example.receipt['position']) + 1 };
  const write = (
    verb: Verb,
    route: readonly [method: () => MethodDecorator, path: string],
    more: Pick<OperationSpec, 'example'> & Partial<OperationSpec>,
  ): Type[] => {
    const texts = spec[verb];
    if (texts === undefined) return [];
    const operation: OperationSpec = {
      ...{ id: `${verb}${operations.one}`, ...textsOf(texts), scope: 'catalog:write', ...access },
      ...{ answer: receiptAnswer, ...more },
    };
    return [writeRoute(route, operation, texts.useCase, verb === 'create' ? located(all) : undefined)];
  };
  return [
    ...write('create', [Post, all], {
      body: idTaken ? bodyOf({ ...id, ...fixed, ...fields }) : body,
      status: 201,
      example: made,
    }),
    ...write('put', [Put, one], { params, body, creates: true, example: made }),
    ...write('update', [Patch, one], {
      ...{ params, body: patchOf(fields), example: { body: spec.update?.example, answer: later } },
    }),
    ...write('delete', [Delete, one], { params, example: { answer: later } }),
    ...write('activate', [Post, `${one}/activate`], { params, example: { answer: later } }),
    ...write('deactivate', [Post, `${one}/deactivate`], { params, example: { answer: later } }),
  ];
}

type Verb = 'create' | 'put' | 'update' | 'delete' | 'activate' | 'deactivate';

/** Says where the new record is. */
function located(path: string): Replying<Receipt> {
  return (receipt, { hostId = '' }) => receiptReply(receipt, `/v1/hosts/${hostId}/${path}/${receipt.id}`);
}

function textsOf({ summary, description }: Texts): Texts {
  return { summary, ...(description !== undefined && { description }) };
}
