import { UnreadableDocument } from '../../documents/findings.js';
import { below, entriesOf, isObject, member, type Json, type JsonObject } from '../../documents/json.js';
import {
  infoOf,
  refuseTooMany,
  type DescribedOperation,
  type Description,
  type ReadContext,
} from '../format.js';
import { SchemaCopier } from '../schema/copier.js';
import { OpenApiDocument, type Placed } from './document.js';
import { shapeOfPath } from './path-template.js';
import { readOperation, type OperationPlace, type OperationTools } from './operation.js';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/** `endpoint` of the catalog's tables holds no more. */
const MAX_KEY_LENGTH = 1_024;

/** Reads the operations of an OpenAPI document, 2.0 to 3.2. What one operation breaks costs no other. */
export function readOpenApi(root: JsonObject, { limits, warnings }: ReadContext): Description {
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
  const operations = places.flatMap((place) => tryOperation(place, tools) ?? []);
  reportLeftOut(document);
  return { formatVersion: document.version, ...infoOf(root['info']), operations };
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
  const { root } = document;
  const paths = document.part(root['paths'], '/paths', 'list of paths');
  for (const [path, value] of entriesOf(paths?.value)) {
    if (path.startsWith('x-')) continue;
    const item = document.part(value, below(paths?.pointer ?? '/paths', path), 'path item');
    if (!item) continue;
    for (const [method, given, at] of methodsOf(item)) {
      const operation = operationAt(given, { key: `${path}@${method}`, at }, document);
      if (operation) yield { path, method, item, operation };
    }
  }
}

function operationAt(
  operation: Json,
  { key, at }: { readonly key: string; readonly at: string },
  document: OpenApiDocument,
): Placed | undefined {
  if (key.length <= MAX_KEY_LENGTH && isObject(operation)) return document.part(operation, at, 'operation');
  const detail = isObject(operation)
    ? `The path is longer than ${String(MAX_KEY_LENGTH)} characters; the operation was left out.`
    : 'An operation must be an object; it was left out.';
  document.warnings.warn('operation_skipped', at, detail);
  return undefined;
}

function* methodsOf(item: Placed): Generator<[method: string, operation: Json, pointer: string]> {
  for (const method of METHODS) {
    const operation = member(item.value, method);
    if (operation !== undefined) yield [method, operation, below(item.pointer, method)];
  }
  for (const [name, operation] of entriesOf(member(item.value, 'additionalOperations'))) {
    const method = name.toLowerCase();
    if (/^[a-z][\w-]{0,30}$/.test(method) && !METHODS.includes(method)) {
      yield [method, operation, below(item.pointer, 'additionalOperations', name)];
    }
  }
}

function tryOperation(place: OperationPlace, tools: OperationTools): DescribedOperation | undefined {
  const { warnings } = tools.document;
  const { pointer } = place.operation;
  try {
    const operation = readOperation(place, tools);
    if (operation === undefined) {
      const detail = 'The document says that this operation is no tool (x-mcp, x-speakeasy-mcp).';
      warnings.warn('operation_hidden', pointer, detail);
    }
    return operation;
  } catch (fault) {
    const reason = fault instanceof Error ? fault.message : String(fault);
    warnings.warn('operation_skipped', pointer, `The operation can't be read and was left out: ${reason}`);
    return undefined;
  }
}

/** Reports paths that differ in the names of their parameters alone: no server can tell them apart. Both are kept. */
function reportCollisions(places: readonly OperationPlace[], { warnings }: OpenApiDocument): void {
  const first = new Map<string, string>();
  for (const { path, method, operation } of places) {
    const shape = `${shapeOfPath(path)}@${method}`;
    const other = first.get(shape);
    if (other === undefined) first.set(shape, path);
    else {
      const detail = `The path is that of ${other} but for the names of its parameters or a fragment; calls of the two look the same.`;
      warnings.warn('paths_collide', operation.pointer, detail);
    }
  }
}

/** Reports webhooks and callbacks: calls that the API makes, nothing an agent could call. */
function reportLeftOut({ root, warnings }: OpenApiDocument): void {
  const report = (code: string, at: string, what: string): void => {
    warnings.warn(code, at, `${what} are calls that the API makes itself; they were left out.`);
  };
  for (const name of ['webhooks', 'x-webhooks']) {
    const count = entriesOf(root[name]).length;
    if (count > 0) report('webhooks_left_out', below('', name), `${String(count)} webhooks`);
  }
  const count = entriesOf(root['paths'])
    .flatMap(([, item]) => entriesOf(item))
    .filter(([, operation]) => member(operation, 'callbacks') !== undefined).length;
  if (count > 0) report('callbacks_left_out', '/paths', `Callbacks of ${String(count)} operations`);
}
