/** Makes of an action's data the request over HTTP that is its twin. Pure. */
import type { JSONSchema } from 'json-schema-to-ts';
import { isObject } from '../../packages/schema-reading/keywords.js';
import { Invalid, type Fault } from '../kernel/errors.js';
import { parameterNames } from '../platform/http/schemas.js';
import { asDeclared } from './member-names.js';
import type { PortalAction } from './portal-action.js';

type Data = Readonly<Record<string, unknown>>;

/** What is needed of an operation over HTTP. */
export interface Twin {
  readonly method: string;
  /** `/v1/hosts/:hostId/skills/:skillId` */
  readonly url: string;
  readonly operation: { readonly query?: JSONSchema; readonly body?: JSONSchema };
}

export interface TwinRequest {
  readonly method: string;
  /** With its parameters and its query. */
  readonly path: string;
  readonly body?: Data;
  /** The version that the caller read, where data has `aggregateVersion`. */
  readonly expectedVersion?: number;
}

/** The name of the member that says which version of a record the caller read: what `If-Match` says over HTTP. */
const VERSION = 'aggregateVersion';

/** The operation that answers an action with this data. */
export function operationOf({ operation, list }: PortalAction, data: Data): string {
  const named = (key: string): boolean => Object.keys(asDeclared(data, only([key])) as object).includes(key);
  return list !== undefined && !named(list.key) ? list.operation : operation;
}

/**
 * The request that is the twin of an action. What its operation refuses is left for it to refuse.
 *
 * @param given data of the envelope: names as the operation has them, or in snake_case
 * @throws Invalid where a part of the path is missing
 */
export function twinRequest({ listed }: PortalAction, twin: Twin, given: Data): TwinRequest {
  const { query, body } = twin.operation;
  const inPath = parameterNames(twin.url);
  const shape = listed === undefined ? body : itemsOf(body, listed);
  const parts = [only([...inPath, VERSION]), query ?? true, shape ?? true];
  const { [VERSION]: version, ...data } = asDeclared(given, { allOf: parts }) as Data;
  if (Object.keys(data).length + Number(version !== undefined) < Object.keys(given).length)
    throw new Invalid('invalid_data', 'The data names a member twice: in camelCase and in snake_case.');
  const rest = Object.entries(data).filter(([name]) => !inPath.includes(name));
  const path = pathOf(twin.url, data, inPath);
  const expected = typeof version === 'number' ? { expectedVersion: version } : {};
  if (shape === undefined) return { method: twin.method, path: path + queryOf(rest), ...expected };
  const inQuery = Object.keys(propertiesOf(query));
  const asked = rest.filter(([name]) => inQuery.includes(name));
  const said = textsAsObjects(
    Object.fromEntries(rest.filter(([name]) => !inQuery.includes(name))),
    shape,
  ) as Data;
  const whole = listed === undefined ? said : { [listed]: [said] };
  return { method: twin.method, path: path + queryOf(asked), body: whole, ...expected };
}

function pathOf(url: string, data: Data, names: readonly string[]): string {
  const faults = names.filter((name) => typeof data[name] !== 'string' || data[name] === '').map(missing);
  if (faults.length > 0)
    throw new Invalid('invalid_data', 'The action needs more to know what it is about.', faults);
  return url.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(data[name] as string));
}

function missing(name: string): Fault {
  return { pointer: `/data/${name}`, detail: 'This text is missing.' };
}

function queryOf(members: readonly (readonly [string, unknown])[]): string {
  const texts = new URLSearchParams();
  for (const [name, value] of members)
    texts.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  return texts.size === 0 ? '' : `?${texts.toString()}`;
}

/** The reference system sends objects such as `config` as a text: read where the operation takes an object. */
function textsAsObjects(value: unknown, schema: JSONSchema): unknown {
  const { type, items = true } = schema as { readonly type?: unknown; readonly items?: JSONSchema };
  if (typeof value === 'string' && type === 'object') return objectIn(value);
  if (Array.isArray(value)) return value.map((item) => textsAsObjects(item, items));
  if (!isObject(value)) return value;
  const properties = propertiesOf(schema);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, textsAsObjects(member, properties[name] ?? true)]),
  );
}

function objectIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function only(names: readonly string[]): JSONSchema {
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) };
}

function itemsOf(body: JSONSchema | undefined, member: string): JSONSchema {
  const { items = true } = (propertiesOf(body)[member] ?? {}) as { readonly items?: JSONSchema };
  return items;
}

function propertiesOf(schema: JSONSchema | undefined): Readonly<Record<string, JSONSchema>> {
  return (schema as { properties?: Record<string, JSONSchema> } | undefined)?.properties ?? {};
}
