import type { DocumentLimits } from '../../documents/limits.js';
import {
  below,
  entriesOf,
  flagMember,
  isObject,
  listMember,
  member,
  textMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import type { ParameterRoute } from '../imported.js';
import type { WarningLog } from '../../documents/findings.js';
import type { UnnamedEndpoint } from '../named-endpoints.js';
import { newTrace } from '../schema/copied.js';
import type { SchemaCopier } from '../schema/schema-copier.js';
import type { SchemaSource } from '../schema/schema-source.js';
import { standalone } from '../schema/standalone.js';
import type { PlacedMethod } from './method-list.js';

export interface MethodTools {
  readonly source: SchemaSource;
  readonly inputs: SchemaCopier;
  readonly outputs: SchemaCopier;
  readonly limits: DocumentLimits;
  readonly warnings: WarningLog;
  /** Of the document. */
  readonly servers: Json | undefined;
}

/** `endpoint` of the catalog's tables holds no more. */
const LONGEST_NAME = 1_000;

/** Reads one method; undefined, with a warning, where it has no name. */
export function readMethod(place: PlacedMethod, tools: MethodTools): UnnamedEndpoint | undefined {
  const { value, pointer } = place.name === '' ? follow(place, tools) : place;
  const name = place.name === '' ? (textMember(value, 'name') ?? '') : place.name;
  if (name === '' || name.length > LONGEST_NAME) {
    tools.warnings.warn(
      'operation_skipped',
      pointer,
      'A method needs a name of at most 1,000 characters; it was left out.',
    );
    return undefined;
  }
  const [summary, text] = [textMember(value, 'summary'), textMember(value, 'description')];
  const { inputSchema, order, sentAs } = inputOf(value, pointer, tools);
  const outputSchema = outputOf(value, pointer, tools);
  return {
    key: `${name}@call`,
    method: 'call',
    path: name,
    sourceName: name,
    ...(summary !== undefined && { title: summary }),
    description: text ?? summary ?? '',
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    parameters: routesOf(inputSchema, sentAs),
    safety: { readOnly: false, idempotent: false, destructive: false },
    lifecycleStatus: flagMember(value, 'deprecated') ? 'deprecated' : 'active',
    tags: tagsOf(value, tools),
    scopes: [],
    extras: extrasOf(value, order, tools),
  };
}

/** A part that is a reference, with its place. */
function follow(
  part: { readonly value: Json; readonly pointer: string },
  { source, warnings }: MethodTools,
): { readonly value: JsonObject; readonly pointer: string } {
  const { value, pointer } = part;
  const reference = textMember(value, '$ref');
  if (!isObject(value)) {
    warnings.warn('part_dropped', pointer, 'This is no object; anything is accepted there.');
    return { value: {}, pointer };
  }
  if (reference === undefined) return { value, pointer };
  const target = source.find(reference);
  if (target.kind === 'local' && isObject(target.schema))
    return { value: target.schema, pointer: target.pointer };
  const code = target.kind === 'external' ? 'external_reference' : 'broken_reference';
  warnings.warn(
    code,
    pointer,
    'This reference is not followed, or leads nowhere; anything is accepted there.',
  );
  return { value: {}, pointer };
}

interface Input {
  readonly inputSchema: JsonObject;
  /** Names in the order of the positions, where parameters are sent by position. */
  readonly order: readonly string[];
  /** Names on the wire of properties that have another. */
  readonly sentAs?: ReadonlyMap<string, string>;
}

/** `params` is a list of descriptors, the schema of an object, or an object of schemas by name. */
function inputOf(method: JsonObject, pointer: string, tools: MethodTools): Input {
  const params = member(method, 'params') ?? member(method, 'parameters');
  const at = below(pointer, 'params');
  const copier = tools.inputs;
  const whole = isObject(params) ? wholeSchema(params) : undefined;
  if (whole !== undefined) {
    const copied = standalone(copier.copyRoot(whole, at), copier, tools.limits.inputSchemaLength, at);
    return { inputSchema: { ...copied, type: 'object' }, order: [] };
  }
  if (!Array.isArray(params)) {
    if (params !== undefined && params !== null)
      tools.warnings.warn('part_dropped', at, 'Parameters are a list, or an object; any object is accepted.');
    return { inputSchema: { type: 'object' }, order: [] };
  }
  const trace = newTrace();
  const properties = new Map<string, JsonObject>();
  const required: string[] = [];
  const sentAs = new Map<string, string>();
  for (const [index, item] of params.entries()) {
    const { value, pointer: place } = follow({ value: item, pointer: below(at, index) }, tools);
    const said = textMember(value, 'name') ?? `param${String(index + 1)}`;
    const name = freeName(said, properties);
    sentAs.set(name, said);
    const schema = copier.copy(schemaOf(value), below(place, 'schema'), trace);
    const description = textMember(value, 'description') ?? textMember(value, 'summary');
    properties.set(name, { ...schema, ...(description !== undefined && { description }) });
    if (flagMember(value, 'required')) required.push(name);
  }
  const schema: JsonObject = {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
  const { inputSchemaLength } = tools.limits;
  return {
    inputSchema: standalone({ schema, trace }, copier, inputSchemaLength, at),
    order: [...properties.keys()],
    sentAs,
  };
}

function freeName(name: string, taken: ReadonlyMap<string, JsonObject>): string {
  let free = name === '__proto__' ? 'proto' : name;
  while (taken.has(free)) free += '_';
  return free;
}

function wholeSchema(params: JsonObject): JsonObject {
  const isSchema = ['type', 'properties', '$ref', 'allOf', 'anyOf', 'oneOf'].some((word) =>
    Object.hasOwn(params, word),
  );
  return isSchema ? params : { type: 'object', properties: params };
}

/** A descriptor's schema; older lists say no more than a type. */
function schemaOf(descriptor: JsonObject): Json {
  const { schema, type } = descriptor;
  if (schema !== undefined) return schema;
  return typeof type === 'string' ? { type } : {};
}

function outputOf(method: JsonObject, pointer: string, tools: MethodTools): JsonObject | undefined {
  const given = member(method, 'result') ?? member(method, 'returns');
  if (!isObject(given)) return undefined;
  const { value, pointer: at } = follow({ value: given, pointer: below(pointer, 'result') }, tools);
  const schema = member(value, 'schema') ?? (member(value, 'name') === undefined ? value : undefined);
  if (!isObject(schema) || Object.keys(schema).length === 0) return undefined;
  const { outputs, limits } = tools;
  return standalone(outputs.copyRoot(schema, below(at, 'schema')), outputs, limits.outputSchemaLength, at);
}

function tagsOf(method: JsonObject, tools: MethodTools): string[] {
  const names = listMember(method, 'tags').map((tag) =>
    typeof tag === 'string' ? tag : textMember(follow({ value: tag, pointer: '' }, tools).value, 'name'),
  );
  return [...new Set(names.filter((name) => name !== undefined && name.trim() !== ''))] as string[];
}

/** How parameters are sent, in which order, where to, and what may go wrong. */
function extrasOf(method: JsonObject, order: readonly string[], { servers }: MethodTools): JsonObject {
  const own = member(method, 'servers') ?? servers;
  const structure = textMember(method, 'paramStructure');
  const kept: [string, Json | undefined][] = [
    ['paramStructure', structure],
    ['paramOrder', order.length > 0 && structure !== 'by-name' ? [...order] : undefined],
    ['servers', Array.isArray(own) && own.length > 0 ? own.slice(0, 10) : undefined],
    ['errors', Array.isArray(method['errors']) ? method['errors'].slice(0, 50) : undefined],
    ['externalDocs', member(method, 'externalDocs')],
  ];
  return Object.fromEntries(kept.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

function routesOf(
  inputSchema: JsonObject,
  sentAs: ReadonlyMap<string, string> = new Map(),
): Record<string, ParameterRoute> {
  const names = entriesOf(inputSchema['properties']).map(([name]) => name);
  return Object.fromEntries(
    names.map((name) => [name, { in: 'argument', name: sentAs.get(name) ?? name } as const]),
  );
}
