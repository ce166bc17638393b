import type { DocumentLimits } from '../../documents/limits.js';
import { UnreadableDocument, type WarningLog } from '../../documents/findings.js';
import type { ImportedDocument } from '../imported.js';
import { isObject, textMember, type Json, type JsonObject } from '../../documents/json.js';
import { namedEndpoints, refuseTooMany, type UnnamedEndpoint } from '../named-endpoints.js';
import { SchemaCopier } from '../schema/schema-copier.js';
import { placeReferences } from '../schema/resource-ids.js';
import { SchemaSource } from '../schema/schema-source.js';
import { readMethod, type MethodTools } from './method.js';
import { methodDocument, methodsOf } from './method-list.js';

/** Makes endpoints of the methods of an OpenRPC document, or of what a JSON-RPC server lists of itself. */
export function importOpenRpc(
  document: Json,
  limits: DocumentLimits,
  warnings: WarningLog,
): ImportedDocument {
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
  placeReferences(document);
  const source = new SchemaSource(document, '/components/schemas/');
  const tools: MethodTools = {
    source,
    inputs: new SchemaCopier(source, 'input', warnings),
    outputs: new SchemaCopier(source, 'output', warnings),
    limits,
    warnings,
    servers: root['servers'],
  };
  const endpoints = new Map<string, UnnamedEndpoint>();
  for (const place of placed) {
    const endpoint = readMethod(place, tools);
    if (endpoint === undefined) continue;
    if (!endpoints.has(endpoint.key)) endpoints.set(endpoint.key, endpoint);
    else {
      const detail = `The method "${endpoint.path}" was met before; the first of that name was taken.`;
      warnings.warn('operation_skipped', place.pointer, detail);
    }
  }
  return {
    format: 'openrpc',
    formatVersion,
    ...headOf(root),
    endpoints: namedEndpoints([...endpoints.values()]),
    warnings: warnings.all(),
  };
}

/** Lists that are no OpenRPC are of JSON-RPC servers. */
function versionOf(root: JsonObject): string {
  const { openrpc } = root;
  if (openrpc === undefined) return '2.0';
  if (typeof openrpc === 'string' && /^1\.\d+(\.\d+)?(-[\w.]+)?$/.test(openrpc)) return openrpc;
  throw new UnreadableDocument(
    'unsupported_version',
    `This is OpenRPC ${JSON.stringify(openrpc)}. Versions 1.x can be imported: set \`openrpc\` to the version the document is written in.`,
    '/openrpc',
  );
}

function headOf(root: JsonObject): Partial<Pick<ImportedDocument, 'title' | 'version' | 'description'>> {
  const info = isObject(root['info']) ? root['info'] : {};
  const said = ['title', 'version', 'description'].map((name) => [name, textMember(info, name)] as const);
  return Object.fromEntries(said.filter(([, text]) => text !== undefined));
}
