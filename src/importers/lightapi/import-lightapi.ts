import { exportedFrom } from '../../formats/lightapi/export-seal.js';
import type { EndpointFacts } from '../../formats/endpoint-facts.js';
import type { DocumentLimits } from '../../documents/limits.js';
import type { ImportedDocument, ImportedOperation } from '../imported.js';
import {
  below,
  byCodePoint,
  isObject,
  objectMember,
  textMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import type { WarningLog } from '../../documents/findings.js';
import { namedEndpoints, refuseTooMany, type UnnamedEndpoint } from '../named-endpoints.js';
import { checkLightApi } from './check-lightapi.js';
import { InvocationReader, routesOf, unfilledOf, type Invocation } from './invocation.js';
import { inheritedOf, meaningOf } from './operation-facts.js';

/** An operation, and the endpoint that it is of itself. */
interface Read {
  readonly endpoint: UnnamedEndpoint;
  readonly operation: ImportedOperation;
}

/**
 * Reads LightAPI 0.1.0: words on the endpoints of a version that has another source, and endpoints of their own where
 * the version has none.
 */
export function importLightApi(
  root: JsonObject,
  limits: DocumentLimits,
  warnings: WarningLog,
): ImportedDocument {
  const operations = checkLightApi(root, warnings);
  refuseTooMany(operations.length, limits, '/operations');
  const reader = new InvocationReader(root, limits, warnings);
  const all = new Map<string, Read>();
  for (const [name, operation] of operations) {
    const read = readOperation({ name, operation, root, warnings }, reader);
    const { key } = read.endpoint;
    if (!all.has(key)) all.set(key, read);
    else
      warnings.warn('operation_skipped', below('/operations', name), `Another operation has the id ${key}.`);
  }
  const sorted = [...all.values()].toSorted((a, b) => byCodePoint(a.endpoint.key, b.endpoint.key));
  const info = root['info'];
  const [title, version] = [textMember(info, 'title'), textMember(info, 'version')];
  const description = textMember(info, 'description') ?? textMember(info, 'summary');
  return {
    format: 'lightapi',
    formatVersion: '0.1.0',
    ...(title !== undefined && { title }),
    ...(version !== undefined && { version }),
    ...(description !== undefined && { description }),
    endpoints: namedEndpoints(sorted.map(({ endpoint }) => endpoint)),
    enrichment: {
      operations: sorted.map(({ operation }) => operation),
      inherited: inheritedOf(root, [], warnings),
      wholeApi: root['profile'] !== 'endpoint',
      ...originOf(root['agent'] === undefined ? root['info'] : undefined),
    },
    warnings: warnings.all(),
  };
}

interface Place {
  /** Under `operations`. */
  readonly name: string;
  readonly operation: JsonObject;
  readonly root: JsonObject;
  readonly warnings: WarningLog;
}

function readOperation({ name, operation, root, warnings }: Place, reader: InvocationReader): Read {
  const pointer = below('/operations', name);
  const operationId = textMember(operation, 'operationId') ?? name;
  const namespace = textMember(root['info'], 'namespace') ?? '';
  const invocation = reader.read(operation, pointer);
  const endpointId = textMember(operation, 'endpointId');
  const key = endpointId ?? `${operationId}@${invocation.method ?? 'call'}`;
  const formerKey = endpointId ?? `${namespace}/${operationId}`;
  const meaning = meaningOf(operation, pointer, warnings);
  return {
    endpoint: endpointOf(operation, { key, formerKey, operationId, invocation, meaning }),
    operation: {
      key,
      ...(formerKey !== key && { formerKey }),
      isHttp: operation['protocol'] === 'http',
      unfilled: unfilledOf(operation, invocation),
      operationId,
      ...placesOf(operation, invocation),
      facts: { ...meaning, ...invocation },
      inherited: inheritedOf(root, [name, operationId], warnings),
      ...originOf(operation),
    },
  };
}

/** Whose own word it is: what the catalog exported and nobody altered says nothing new there. */
function originOf(part: Json | undefined): { readonly exportedFrom?: string } {
  const origin = isObject(part) ? exportedFrom(part) : undefined;
  return origin === undefined ? {} : { exportedFrom: origin };
}

/** Where the endpoint may stand that it speaks of. */
function placesOf(
  operation: JsonObject,
  { method, path }: Invocation,
): Pick<ImportedOperation, 'named' | 'called'> {
  const named = textMember(objectMember(operation, 'metadata'), 'portalEndpoint');
  return {
    ...(named !== undefined && { named }),
    ...(method !== undefined && path !== undefined && { called: `${path}@${method}` }),
  };
}

interface Known {
  readonly key: string;
  /** Stands for the path where none is said. */
  readonly formerKey: string;
  readonly operationId: string;
  readonly invocation: Invocation;
  readonly meaning: EndpointFacts;
}

/** The operation as an endpoint of its own: how it is called. What it means is the business of the layers above. */
function endpointOf(
  operation: JsonObject,
  { key, formerKey, operationId, invocation, meaning }: Known,
): UnnamedEndpoint {
  const { method = 'call', path = formerKey, inputSchema = { type: 'object' }, outputSchema } = invocation;
  const { destructive = false, readOnly = false, idempotent = readOnly } = meaning.safety ?? {};
  return {
    key,
    method,
    path,
    sourceName: operationId,
    description: meaning.description ?? '',
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    parameters: routesOf(operation, inputSchema, invocation.path),
    safety: { readOnly, idempotent, destructive },
    lifecycleStatus: meaning.lifecycleStatus === 'deprecated' ? 'deprecated' : 'active',
    tags: meaning.tags ?? [],
    scopes: [],
    extras: {},
  };
}
