import { UnreadableDocument } from '../../documents/findings.js';
import {
  below,
  flagMember,
  isObject,
  listMember,
  member,
  textMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import {
  argumentRoutes,
  infoOf,
  refuseTooMany,
  type DescribedOperation,
  type Description,
  type ReadContext,
} from '../format.js';
import { newTrace, SchemaCopier } from '../schema/copier.js';
import { SchemaSource } from '../schema/source.js';
import { standalone } from '../schema/standalone.js';
import { methodDocument, methodsOf, type PlacedMethod } from './method-list.js';

interface MethodTools extends ReadContext {
  readonly source: SchemaSource;
  readonly inputs: SchemaCopier;
  readonly outputs: SchemaCopier;
  /** Of the document. */
  readonly servers: Json | undefined;
}

/** `endpoint` of the catalog's tables holds no more. */
const MAX_NAME_LENGTH = 1_000;

/** Reads the methods of an OpenRPC document, or of what a JSON-RPC server lists of itself. */
export function readOpenRpc(document: Json, context: ReadContext): Description {
  const { limits, warnings } = context;
  const found = methodDocument(document);
  if (found === undefined || !(Array.isArray(found.methods) || isObject(found.methods))) {
    throw new UnreadableDocument('malformed_openrpc', '`methods` must be a list of methods.', '/methods');
  }
  const { root } = found;
  const formatVersion = versionOf(root);
  const placed = methodsOf(found, (pointer) => {
    warnings.warn('operation_skipped', pointer, 'A method needs a name; it was left out.');
  });
  refuseTooMany(placed.length, limits, '/methods');
  const source = new SchemaSource(document, '/components/schemas/');
  const tools: MethodTools = {
    ...context,
    source,
    inputs: new SchemaCopier(source, 'input', warnings),
    outputs: new SchemaCopier(source, 'output', warnings),
    servers: root['servers'],
  };
  const operations = new Map<string, DescribedOperation>();
  for (const place of placed) {
    const operation = readMethod(place, tools);
    if (operation === undefined) continue;
    if (!operations.has(operation.endpoint)) operations.set(operation.endpoint, operation);
    else {
      const detail = `The method "${operation.facts.path}" was met before; the first of that name was taken.`;
      warnings.warn('operation_skipped', place.pointer, detail);
    }
  }
  return { formatVersion, ...infoOf(root['info']), operations: [...operations.values()] };
}

/** Lists that are no OpenRPC are of JSON-RPC servers. */
function versionOf({ openrpc }: JsonObject): string {
  if (openrpc === undefined) return '2.0';
  if (typeof openrpc === 'string' && /^1\.\d+(\.\d+)?(-[\w.]+)?$/.test(openrpc)) return openrpc;
  throw new UnreadableDocument(
    'unsupported_version',
    `This is OpenRPC ${JSON.stringify(openrpc)}. Versions 1.x can be imported: set \`openrpc\` to the version the document is written in.`,
    '/openrpc',
  );
}

/** Reads one method; undefined, with a warning, where it has no name. */
function readMethod(place: PlacedMethod, tools: MethodTools): DescribedOperation | undefined {
  const { value, pointer } = place.name === '' ? follow(place, tools) : place;
  const name = place.name === '' ? (textMember(value, 'name') ?? '') : place.name;
  if (name === '' || name.length > MAX_NAME_LENGTH) {
    const detail = 'A method needs a name of at most 1,000 characters; it was left out.';
    tools.warnings.warn('operation_skipped', pointer, detail);
    return undefined;
  }
  const summary = textMember(value, 'summary');
  const { inputSchema, order, wireNames } = inputOf(value, pointer, tools);
  return {
    endpoint: `${name}@call`,
    pointer,
    facts: {
      ...{ method: 'call', path: name, sourceName: name, title: summary },
      description: textMember(value, 'description') ?? summary,
      inputSchema,
      outputSchema: outputOf(value, pointer, tools),
      routing: { parameters: argumentRoutes(inputSchema, wireNames) },
      safety: { readOnly: false, idempotent: false, destructive: false },
      lifecycleStatus: flagMember(value, 'deprecated') ? 'deprecated' : 'active',
      tags: tagsOf(value, tools),
      extras: extrasOf(value, order, tools),
    },
  };
}

/** Follows a part that is a reference. */
function follow(
  { value, pointer }: { readonly value: Json; readonly pointer: string },
  { source, warnings }: MethodTools,
): { readonly value: JsonObject; readonly pointer: string } {
  if (!isObject(value)) {
    warnings.warn('part_dropped', pointer, 'This is no object; anything is accepted there.');
    return { value: {}, pointer };
  }
  const reference = textMember(value, '$ref');
  if (reference === undefined) return { value, pointer };
  const target = source.find(reference);
  if (target.kind === 'local' && isObject(target.schema))
    return { value: target.schema, pointer: target.pointer };
  const code = target.kind === 'external' ? 'external_reference' : 'broken_reference';
  const detail = 'This reference is not followed, or leads nowhere; anything is accepted there.';
  warnings.warn(code, pointer, detail);
  return { value: {}, pointer };
}

interface Input {
  readonly inputSchema: JsonObject;
  /** Names in the order of the positions, where parameters are sent by position. */
  readonly order: readonly string[];
  /** Names on the wire of properties that have another. */
  readonly wireNames?: ReadonlyMap<string, string>;
}

/** Reads `params`: a list of descriptors, the schema of an object, or an object of schemas by name. */
function inputOf(method: JsonObject, pointer: string, tools: MethodTools): Input {
  const params = member(method, 'params') ?? member(method, 'parameters');
  const at = below(pointer, 'params');
  const { inputs: copier, limits, warnings } = tools;
  if (isObject(params)) {
    const root = copier.copyRoot(wholeSchema(params), at);
    const copied = standalone(root, copier, limits.inputSchemaLength, at);
    return { inputSchema: { ...copied, type: 'object' }, order: [] };
  }
  if (!Array.isArray(params)) {
    if (params !== undefined && params !== null)
      warnings.warn('part_dropped', at, 'Parameters are a list, or an object; any object is accepted.');
    return { inputSchema: { type: 'object' }, order: [] };
  }
  const trace = newTrace();
  const properties = new Map<string, JsonObject>();
  const required: string[] = [];
  const wireNames = new Map<string, string>();
  for (const [index, item] of params.entries()) {
    const { value, pointer: place } = follow({ value: item, pointer: below(at, index) }, tools);
    const said = textMember(value, 'name') ?? `param${String(index + 1)}`;
    const name = freeName(said, properties);
    wireNames.set(name, said);
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
  const inputSchema = standalone({ schema, trace }, copier, limits.inputSchemaLength, at);
  return { inputSchema, order: [...properties.keys()], wireNames };
}

function freeName(name: string, taken: ReadonlyMap<string, JsonObject>): string {
  let free = name === '__proto__' ? 'proto' : name;
  while (taken.has(free)) free += '_';
  return free;
}

function wholeSchema(params: JsonObject): JsonObject {
  const keywords = ['type', 'properties', '$ref', 'allOf', 'anyOf', 'oneOf'];
  const isSchema = keywords.some((keyword) => Object.hasOwn(params, keyword));
  return isSchema ? params : { type: 'object', properties: params };
}

/** Reads a descriptor's schema; older lists say no more than a type. */
function schemaOf({ schema, type }: JsonObject): Json {
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

/** Keeps how parameters are sent, in which order, where to, and what may go wrong. */
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
