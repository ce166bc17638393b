import { Delete, Patch, Post, Put, type Type } from '@nestjs/common';
import type { JSONSchema } from 'json-schema-to-ts';
import type { OperationSpec } from '../http/operation.js';
import { receiptReply } from '../http/replies.js';
import { listAnswer, receiptAnswer, type ListQuery } from '../http/schemas.js';
import type { Receipt, UseCase, Writer } from '../use-cases/use-case.js';
import { bodyOf, patchOf, shownOf } from './fields.js';
import type { Readable, RecordReads } from './record-reads.js';
import type { Members, RecordSpec } from './record-spec.js';
import { readRoute, writeRoute, type Params, type Replying } from './routes.js';

type Texts = Pick<OperationSpec, 'summary' | 'description'>;

/** A write of the noun, and the use case behind it. */
interface Write extends Texts {
  readonly useCase: new (writer: Writer, input: never) => UseCase<unknown>;
  /** The body, where it is not that of the fields. */
  readonly body?: JSONSchema;
  /** Members of the answer beside the receipt. */
  readonly answer?: JSONSchema;
  /** A body, and what the answer holds beside the receipt. */
  readonly example?: { readonly body?: object; readonly answer?: object };
}

/** The part of a declaration that routes need. */
export type Routed = Readable & Pick<RecordSpec, 'name' | 'idTaken'>;

/** The routes of a noun: path, texts and examples. */
export interface RecordRoutesSpec extends Readonly<Partial<Record<Verb, Write>>> {
  /** Below the host: `tags`; of a link with the first end: `skills/:skillId/dependencies`. */
  readonly path: string;
  /** Stem of the operation ids, `createTag` and `listTags`, where it is not the record's name and its path. */
  readonly operations?: { readonly one?: string; readonly many?: string };
  /** Scope, where it is not `catalog:read` for reads and `catalog:write` for writes. */
  readonly access?: Pick<OperationSpec, 'scope' | 'confined'>;
  /** Texts, where the summary is not `List tags` or `Get a tag`, or there is a description. */
  readonly list?: Partial<Texts> & { readonly example?: object };
  readonly get?: Texts;
  /** The body that creates one, the record as it is answered then, and the receipt. */
  readonly example: {
    readonly body: object;
    readonly answer: object;
    /** The item of a list, where lists show less. */
    readonly listed?: object;
    readonly receipt: Members;
  };
}

/** POST creates one, PUT writes all of it under an id that the caller chose, PATCH changes what is given. */
type Verb = 'create' | 'put' | 'update' | 'delete' | 'activate' | 'deactivate';

/** The controllers of a noun, one for each route that it has. */
export function recordRoutes<S extends Routed>(
  reads: RecordReads<S, string>,
  spec: RecordRoutesSpec,
): Type[] {
  const { path, access, example, list: listed, get: got } = spec;
  const { noun, name } = reads.spec;
  const { one: stem = name, many = capitalized(path) } = spec.operations ?? {};
  const params = shownOf(reads.spec.id);
  const one = pathOfOne(path, params);
  const read = { scope: 'catalog:read', ...access } as const;
  const list = readRoute<ListQuery>(
    path,
    {
      ...{ id: `list${many}`, ...textsOf({ summary: `List ${path}`, ...listed }), ...read },
      ...{ query: reads.query, answer: listAnswer(reads.listedAnswer) },
      example: { query: listed?.example ?? {}, answer: { items: [example.listed ?? example.answer] } },
    },
    (sql, { visibility, params: ids, query }) => reads.list(sql, visibility, query, idsOf(ids)),
  );
  const get = readRoute(
    one,
    {
      ...{ id: `get${stem}`, ...textsOf(got ?? { summary: `Get ${withArticle(noun)}` }), ...read, params },
      ...{ answer: reads.answer, example: { answer: example.answer } },
    },
    (sql, { visibility, params: ids }) => reads.get(sql, visibility, idsOf(ids)),
  );
  const routes = writesOf(reads.spec, path);
  const writes = (Object.keys(routes) as Verb[]).flatMap((verb) => {
    const write = spec[verb];
    return write === undefined ? [] : [writeOf({ ...spec, stem }, verb, write, routes[verb])];
  });
  return [list, get, ...writes];
}

/** The path of a single one: the ids that the list's path does not name follow it. */
function pathOfOne(path: string, ids: object): string {
  const named = path.split('/');
  const parts = Object.keys(ids).map((id) => `:${id}`);
  return [...named, ...parts.filter((part) => !named.includes(part))].join('/');
}

/** The parameters of the path without the host. */
function idsOf({ hostId: _host, ...ids }: Params): Params {
  return ids;
}

interface WriteRoute extends Partial<OperationSpec> {
  readonly route: readonly [method: () => MethodDecorator, path: string];
}

function writesOf({ id, fixed, fields, idTaken }: Routed, path: string): Readonly<Record<Verb, WriteRoute>> {
  const params = shownOf(id);
  const one = pathOfOne(path, params);
  const whole = { ...fixed, ...fields };
  return {
    create: { route: [Post, path], body: bodyOf(idTaken ? { ...id, ...whole } : whole), status: 201 },
    put: { route: [Put, one], params, body: bodyOf(whole), creates: true },
    update: { route: [Patch, one], params, body: patchOf(fields) },
    delete: { route: [Delete, one], params },
    activate: { route: [Post, `${one}/activate`], params },
    deactivate: { route: [Post, `${one}/deactivate`], params },
  };
}

function writeOf(
  { path, stem, access, example: { body, receipt } }: RecordRoutesSpec & { readonly stem: string },
  verb: Verb,
  write: Write,
  { route, ...operation }: WriteRoute,
): Type {
  const makes = verb === 'create' || verb === 'put';
  const later = { ...receipt, version: 2, position: Number(receipt['position']) + 1 };
  return writeRoute(
    route,
    {
      ...{ id: `${verb}${stem}`, ...textsOf(write), scope: 'catalog:write', ...access },
      ...{ answer: write.answer ?? receiptAnswer, ...operation, ...(write.body && { body: write.body }) },
      example: {
        ...(operation.body !== undefined && { body: write.example?.body ?? body }),
        answer: { ...(makes ? receipt : later), ...write.example?.answer },
      },
    },
    write.useCase,
    verb === 'create' ? located(path) : undefined,
  );
}

/** Answers 201 with the address of the new record. */
export function located(path: string): Replying<Receipt> {
  return (receipt, { hostId = '' }) =>
    receiptReply(receipt, { status: 201 }, `/v1/hosts/${hostId}/${path}/${receipt.id}`);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A noun with its article: `a tag`, `an agent`. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

function textsOf({ summary, description }: Texts): Texts {
  return { summary, ...(description !== undefined && { description }) };
}
