import { UnreadableDocument, type Fault, type WarningSink } from '../../documents/findings.js';
import {
  below,
  byCodePoint,
  entriesOf,
  isObject,
  member,
  objectMember,
  textMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import { BoundedAjv, type Check } from '../../platform/validation/validator.js';
import { faultsOf } from '../../platform/validation/faults.js';
import {
  infoOf,
  refuseTooMany,
  type DescribedOperation,
  type Description,
  type EnrichingOperation,
  type ReadContext,
} from '../format.js';
import { exportedFrom } from './export-seal.js';
import {
  inheritedOf,
  InvocationReader,
  meaningOf,
  routesOf,
  unfilledOf,
  type Invocation,
} from './operation-facts.js';
import { lightApiSchema, operationSchema } from './lightapi.schema.js';

/** An operation, and the endpoint that it is of itself. */
interface Read {
  readonly endpoint: DescribedOperation;
  readonly enriching: EnrichingOperation;
}

/**
 * Reads LightAPI 0.1.0: facts of the endpoints of a version that has another source, and endpoints of their own where
 * the version has none.
 */
export function readLightApi(root: JsonObject, { limits, warnings }: ReadContext): Description {
  const operations = checkLightApi(root, warnings);
  refuseTooMany(operations.length, limits, '/operations');
  const reader = new InvocationReader(root, { limits, warnings });
  const all = new Map<string, Read>();
  for (const [name, operation] of operations) {
    const read = readOperation({ name, operation, root, warnings }, reader);
    const { key } = read.enriching;
    if (!all.has(key)) all.set(key, read);
    else
      warnings.warn('operation_skipped', below('/operations', name), `Another operation has the id ${key}.`);
  }
  const sorted = [...all.values()].toSorted((a, b) => byCodePoint(a.enriching.key, b.enriching.key));
  return {
    formatVersion: '0.1.0',
    ...infoOf(root['info']),
    operations: sorted.map(({ endpoint }) => endpoint),
    enrichment: {
      operations: sorted.map(({ enriching }) => enriching),
      inherited: inheritedOf(root, [], warnings),
      wholeApi: root['profile'] !== 'endpoint',
      ...originOf(root['agent'] === undefined ? root['info'] : undefined),
    },
  };
}

interface Place {
  /** Under `operations`. */
  readonly name: string;
  readonly operation: JsonObject;
  readonly root: JsonObject;
  readonly warnings: WarningSink;
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
  const { inputSchema = { type: 'object' }, method = 'call' } = invocation;
  const { destructive = false, readOnly = false, idempotent = readOnly } = meaning.safety ?? {};
  return {
    // As an endpoint of its own it says how it is called; what it means is the business of the layers above.
    endpoint: {
      endpoint: key,
      pointer,
      facts: {
        ...{ method, path: invocation.path ?? formerKey, sourceName: operationId },
        description: meaning.description,
        inputSchema,
        outputSchema: invocation.outputSchema,
        routing: { parameters: routesOf(operation, inputSchema, invocation.path) },
        safety: { readOnly, idempotent, destructive },
        lifecycleStatus: meaning.lifecycleStatus === 'deprecated' ? 'deprecated' : 'active',
        tags: meaning.tags,
      },
    },
    enriching: {
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

/** Names the version that a part was exported from: what nobody altered since says nothing new there. */
function originOf(part: Json | undefined): { readonly exportedFrom?: string } {
  const origin = isObject(part) ? exportedFrom(part) : undefined;
  return origin === undefined ? {} : { exportedFrom: origin };
}

/** Names the keys that the endpoint may have which it speaks of. */
function placesOf(
  operation: JsonObject,
  { method, path }: Invocation,
): Pick<EnrichingOperation, 'named' | 'called'> {
  const named = textMember(objectMember(operation, 'metadata'), 'portalEndpoint');
  return {
    ...(named !== undefined && { named }),
    ...(method !== undefined && path !== undefined && { called: `${path}@${method}` }),
  };
}

const ajv = new BoundedAjv({ strict: false });
let compiled: { readonly document: Check; readonly operation: Check } | undefined;

/**
 * Checks a document against the specification, and gives the operations that are right; one that is not is left out
 * with a warning for each fault.
 *
 * @throws UnreadableDocument `unsupported_version`; `malformed_lightapi` with every fault
 */
export function checkLightApi(root: JsonObject, warnings: WarningSink): readonly [string, JsonObject][] {
  const { lightapi } = root;
  if (lightapi !== '0.1.0') {
    throw new UnreadableDocument(
      'unsupported_version',
      `This is LightAPI ${JSON.stringify(lightapi)}. Version "0.1.0" can be imported: set \`lightapi\` to the version the document is written in.`,
      '/lightapi',
    );
  }
  compiled ??= { document: ajv.compile(lightApiSchema), operation: ajv.compile(operationSchema) };
  const faults = check(compiled.document, root, '');
  if (faults.length > 0) throw malformed(faults);
  const right: [string, JsonObject][] = [];
  for (const [name, operation] of entriesOf(root['operations'])) {
    const found = check(compiled.operation, operation, below('/operations', name));
    if (found.length === 0) right.push([name, operation as JsonObject]);
    for (const { pointer, detail } of found) {
      warnings.warn('operation_skipped', pointer, `${detail}; the operation ${name} was left out.`);
    }
    faults.push(...found);
  }
  if (right.length === 0) throw malformed(faults);
  for (const [name, operation] of right) warnOfUnknown(name, operation, root, warnings);
  return right;
}

function check(checked: Check, value: unknown, at: string): Fault[] {
  // That a condition failed says nothing that its parts do not.
  const errors = checked(value).filter(({ keyword }) => keyword !== 'if' && keyword !== 'anyOf');
  return faultsOf(errors).map(({ pointer, detail }) => ({ pointer: at + pointer, detail }));
}

function malformed(faults: readonly Fault[]): UnreadableDocument {
  const [first] = faults;
  const place = first === undefined ? '' : `: ${first.pointer || '/'} ${first.detail}`;
  const detail = `This is no LightAPI 0.1.0 document${place}. Mend what is named and send it again.`;
  return new UnreadableDocument('malformed_lightapi', detail, first?.pointer, faults);
}

/** What an operation refers to, and where it is declared: here, or in the catalog that the document inherits from. */
const references = [
  ['source', 'sources'],
  ['authentication', 'authentications'],
] as const;

function warnOfUnknown(name: string, operation: JsonObject, root: JsonObject, warnings: WarningSink): void {
  const inherits = objectMember(root['context'], 'inherits');
  const unknown = (reference: string | undefined, holder: unknown, at: string, place: string): void => {
    if (reference === undefined || member(holder, reference) !== undefined) return;
    const detail = `Nothing of the name "${reference}" stands under ${place}.`;
    warnings.warn('reference_unknown', below('/operations', name, at), detail);
  };
  for (const [at, place] of references) {
    if (member(inherits, place) === undefined)
      unknown(textMember(operation, at), root[place], at, `/${place}`);
  }
  const source = textMember(operation, 'source');
  const server = objectMember(objectMember(root['sources'], source ?? ''), 'servers');
  if (server !== undefined)
    unknown(textMember(operation, 'server'), server, 'server', `/sources/${source ?? ''}/servers`);
}
