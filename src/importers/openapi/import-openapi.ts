import { canonicalJson, settle } from '../../eventsourcing/canonical-json.js';
import { UnreadableDocument, type WarningLog } from '../../documents/findings.js';
import type { ImportedDocument } from '../imported.js';
import {
  below,
  entriesOf,
  isObject,
  member,
  textMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import type { DocumentLimits } from '../../documents/limits.js';
import { namedEndpoints, refuseTooMany, type UnnamedEndpoint } from '../named-endpoints.js';
import { SchemaCopier } from '../schema/schema-copier.js';
import { OpenApiDocument, type Placed } from './openapi-document.js';
import { readOperation, type OperationPlace, type OperationTools } from './operation.js';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/** `endpoint` of the catalog's tables holds no more. */
const LONGEST_KEY = 1_024;

/** Makes endpoints of the operations of an OpenAPI document, 2.0 to 3.2. What one operation breaks costs no other. */
export function importOpenApi(
  root: JsonObject,
  limits: DocumentLimits,
  warnings: WarningLog,
): ImportedDocument {
  const document = new OpenApiDocument(root, warnings);
  checkVersion(document);
  const places = [...operationsOf(document)];
  reportCollisions(places, document);
  refuseTooMany(places.length, limits, '/paths');
  const tools: OperationTools = {
    document,
    limits,
    inputs: new SchemaCopier(document.source, 'input', warnings),
    outputs: new SchemaCopier(document.source, 'output', warnings),
  };
  const unnamed = readAll(places, tools);
  reportLeftOut(document);
  return {
    format: 'openapi',
    formatVersion: document.version,
    ...head(root),
    endpoints: namedEndpoints(unnamed),
    warnings: warnings.all(),
  };
}

/** Many operations may each carry the same large definitions: what they come to together is limited too. */
function readAll(places: readonly OperationPlace[], tools: OperationTools): UnnamedEndpoint[] {
  const { totalLength } = tools.limits;
  const endpoints: UnnamedEndpoint[] = [];
  let length = 0;
  for (const place of places) {
    const endpoint = tryOperation(place, tools);
    if (!endpoint) continue;
    length += lengthOf(endpoint);
    if (length > totalLength) {
      throw new UnreadableDocument(
        'document_too_large',
        `With what they refer to, the operations are longer than ${String(totalLength / 1024 / 1024)} MiB. Split the document into several.`,
        place.operation.pointer,
      );
    }
    endpoints.push(endpoint);
  }
  return endpoints;
}

/** JSON length, about; schemas that operations share are not written out for it. */
function lengthOf({ inputSchema, outputSchema = {}, ...rest }: UnnamedEndpoint): number {
  const texts = [inputSchema, outputSchema].map((schema) => canonicalJson(settle(schema)));
  return texts.reduce((sum, text) => sum + text.length, JSON.stringify(rest).length);
}

function checkVersion({ version, isSwagger2, root }: OpenApiDocument): void {
  const known = isSwagger2 ? version === '2.0' : /^3\.[0-2](\.\d+)?(-\w+)?$/.test(version);
  if (known) {
    if (member(root, 'paths') === undefined || isObject(root['paths'])) return;
    throw new UnreadableDocument('malformed_openapi', '`paths` must be an object of path items.', '/paths');
  }
  throw new UnreadableDocument(
    'unsupported_version',
    `This is OpenAPI "${version}". Versions 2.0, 3.0, 3.1 and 3.2 can be imported: set \`openapi\` (or \`swagger\`) to the version the document is written in.`,
    isSwagger2 ? '/swagger' : '/openapi',
  );
}

function* operationsOf(document: OpenApiDocument): Generator<OperationPlace> {
  const { root, warnings } = document;
  const paths = document.part(root['paths'], '/paths', 'list of paths');
  for (const [path, value] of entriesOf(paths?.value)) {
    if (path.startsWith('x-')) continue;
    const pointer = below(paths?.pointer ?? '/paths', path);
    const item = document.part(value, pointer, 'path item');
    if (!item) continue;
    for (const [method, operation, at] of methodsOf(item)) {
      if (`${path}@${method}`.length > LONGEST_KEY) {
        warnings.warn(
          'operation_skipped',
          at,
          `The path is longer than ${String(LONGEST_KEY)} characters; the operation was left out.`,
        );
      } else if (isObject(operation))
        yield { path, method, item, operation: { value: operation, pointer: at } };
      else warnings.warn('operation_skipped', at, 'An operation must be an object; it was left out.');
    }
  }
}

function* methodsOf(item: Placed): Generator<[method: string, operation: Json, pointer: string]> {
  for (const method of METHODS) {
    const operation = member(item.value, method);
    if (operation !== undefined) yield [method, operation, below(item.pointer, method)];
  }
  const additional = entriesOf(member(item.value, 'additionalOperations'));
  for (const [name, operation] of additional) {
    const method = name.toLowerCase();
    if (/^[a-z][\w-]{0,30}$/.test(method) && !METHODS.includes(method)) {
      yield [method, operation, below(item.pointer, 'additionalOperations', name)];
    }
  }
}

function tryOperation(place: OperationPlace, tools: OperationTools): UnnamedEndpoint | undefined {
  const { warnings } = tools.document;
  const { pointer } = place.operation;
  try {
    const endpoint = readOperation(place, tools);
    if (!endpoint)
      warnings.warn(
        'operation_hidden',
        pointer,
        'The document says that this operation is no tool (x-mcp, x-speakeasy-mcp).',
      );
    return endpoint;
  } catch (fault) {
    const reason = fault instanceof Error ? fault.message : String(fault);
    warnings.warn('operation_skipped', pointer, `The operation can't be read and was left out: ${reason}`);
    return undefined;
  }
}

function head(root: JsonObject): Partial<Pick<ImportedDocument, 'title' | 'version' | 'description'>> {
  const info = member(root, 'info');
  const title = textMember(info, 'title');
  const version = textMember(info, 'version');
  const description = textMember(info, 'description') ?? textMember(info, 'summary');
  return {
    ...(title === undefined ? {} : { title }),
    ...(version === undefined ? {} : { version }),
    ...(description === undefined ? {} : { description }),
  };
}

/** Paths that differ in the names of their parameters alone: no server can tell them apart. Both are kept. */
function reportCollisions(places: readonly OperationPlace[], { warnings }: OpenApiDocument): void {
  const first = new Map<string, string>();
  for (const { path, method, operation } of places) {
    const shape = `${path.replace(/\{[^}]*\}/g, '{}')}@${method}`;
    const other = first.get(shape);
    if (other === undefined) first.set(shape, path);
    else {
      const detail = `The path is that of ${other} but for the names of its parameters; calls of the two look the same.`;
      warnings.warn('paths_collide', operation.pointer, detail);
    }
  }
}

/** Webhooks and callbacks are calls that the API makes: nothing an agent could call. */
function reportLeftOut({ root, warnings }: OpenApiDocument): void {
  for (const name of ['webhooks', 'x-webhooks']) {
    const count = entriesOf(root[name]).length;
    if (count > 0)
      warnings.warn(
        'webhooks_left_out',
        below('', name),
        `${String(count)} webhooks are calls that the API makes itself; they were left out.`,
      );
  }
  const count = entriesOf(root['paths'])
    .flatMap(([, item]) => entriesOf(item))
    .filter(([, operation]) => member(operation, 'callbacks') !== undefined).length;
  if (count > 0)
    warnings.warn(
      'callbacks_left_out',
      '/paths',
      `Callbacks of ${String(count)} operations are calls that the API makes itself; they were left out.`,
    );
}
