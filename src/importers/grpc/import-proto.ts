import { Service, type Method, type NamespaceBase, type ReflectionObject } from 'protobufjs';
import type { DocumentLimits } from '../../documents/limits.js';
import { UnreadableDocument, type WarningLog } from '../../documents/findings.js';
import type { ImportedDocument } from '../imported.js';
import {
  byCodePoint,
  entriesOf,
  isObject,
  textMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import { namedEndpoints, refuseTooMany, type UnnamedEndpoint } from '../named-endpoints.js';
import { SchemaCopier } from '../schema/schema-copier.js';
import { SchemaSource } from '../schema/schema-source.js';
import { standalone } from '../schema/standalone.js';
import { MessageSchemas, nameOf } from './message-schemas.js';
import { optionsOf } from './options.js';
import { parseFiles, type ParsedFiles, type ProtoFile } from './parse-files.js';
import { auxiliary } from './well-known.js';

/** Makes an endpoint of every method of every service in .proto files. */
export function importProto(
  files: readonly ProtoFile[],
  limits: DocumentLimits,
  warnings: WarningLog,
): ImportedDocument {
  const parsed = parseFiles(files);
  const services = servicesOf(parsed, warnings);
  const methods = services.flatMap((service) => service.methodsArray);
  if (methods.length === 0) {
    throw new UnreadableDocument(
      'no_operations',
      'No file declares a service with methods: there is nothing to import. Send the files that declare services along.',
    );
  }
  refuseTooMany(methods.length, limits, '');
  const reader = new MethodReader(parsed, limits, warnings);
  const title = services.map(({ name }) => name).join(', ');
  return {
    format: 'grpc',
    formatVersion: [...new Set(parsed.files.map(({ syntax }) => syntax))].sort().join(', '),
    title,
    endpoints: namedEndpoints(methods.map((method) => reader.read(method))),
    warnings: warnings.all(),
  };
}

/** Those of files that others import to speak of long-running calls and the like are left out, with a warning. */
function servicesOf({ root, files }: ParsedFiles, warnings: WarningLog): Service[] {
  const imported = new Set(files.flatMap(({ imports }) => imports));
  const beside = files.filter(({ path, package: name }) => imported.has(path) && auxiliary.includes(name));
  const left = new Set(beside.map((file) => file.package));
  const find = (namespace: NamespaceBase): Service[] =>
    namespace.nestedArray.flatMap((nested: ReflectionObject) => {
      if (nested instanceof Service) return [nested];
      return 'nestedArray' in nested ? find(nested as NamespaceBase) : [];
    });
  const isBeside = ({ parent }: Service): boolean => parent !== null && left.has(nameOf(parent));
  const found = find(root).sort((a, b) => byCodePoint(a.fullName, b.fullName));
  for (const service of found.filter(isBeside)) {
    const detail = `The service ${nameOf(service)} stands in a file that others import; it was left out. Send that file without them to import it.`;
    warnings.warn('service_left_out', '', detail);
  }
  return found.filter((service) => !isBeside(service));
}

class MethodReader {
  private readonly schemas: MessageSchemas;
  private readonly inputs: SchemaCopier;
  private readonly outputs: SchemaCopier;

  constructor(
    { root }: ParsedFiles,
    private readonly limits: DocumentLimits,
    warnings: WarningLog,
  ) {
    this.schemas = new MessageSchemas(warnings);
    const definitions = Object.fromEntries(this.schemas.definitions(root));
    const source = new SchemaSource({ definitions }, '/definitions/');
    this.inputs = new SchemaCopier(source, 'input', warnings);
    this.outputs = new SchemaCopier(source, 'output', warnings);
  }

  read(method: Method): UnnamedEndpoint {
    const service = method.parent as Service;
    const path = `${nameOf(service)}/${method.name}`;
    const { inputSchemaLength, outputSchemaLength } = this.limits;
    const inputSchema = this.schemaOf(method.requestType, service, this.inputs, inputSchemaLength);
    const http = httpOf(method);
    const names = entriesOf(inputSchema['properties']).map(([name]) => name);
    return {
      key: `${path}@call`,
      method: 'call',
      path,
      sourceName: `${service.name}_${method.name}`,
      description: method.comment ?? '',
      inputSchema: { ...inputSchema, type: 'object' },
      outputSchema: this.schemaOf(method.responseType, service, this.outputs, outputSchemaLength),
      parameters: Object.fromEntries(names.map((name) => [name, { in: 'argument', name } as const])),
      safety: safetyOf(method, http),
      lifecycleStatus: method.options?.['deprecated'] === true ? 'deprecated' : 'active',
      tags: [],
      scopes: [],
      extras: extrasOf(method, http),
    };
  }

  /** A message is a definition; its properties stand at the top. */
  private schemaOf(type: string, service: Service, copier: SchemaCopier, longest: number): JsonObject {
    const reference = this.schemas.reference(type, service.parent);
    const target = copier.source.find(textMember(reference, '$ref') ?? '');
    const copied =
      target.kind === 'local' ? copier.definition(target.pointer) : copier.copyRoot(reference, '');
    return standalone(copied, copier, longest, '');
  }
}

/** How a gateway offers the method over HTTP, lower-case method and templated path: a hint, not a contract. */
interface HttpRule {
  readonly method: string;
  readonly path: string;
}

function httpOf(method: Method): HttpRule | undefined {
  const [rule] = optionsOf(method, 'google.api.http');
  const custom = isObject(rule) ? rule['custom'] : undefined;
  if (isObject(custom)) {
    const [kind, path] = [textMember(custom, 'kind'), textMember(custom, 'path')];
    return kind === undefined || path === undefined ? undefined : { method: kind.toLowerCase(), path };
  }
  const verb = ['get', 'put', 'post', 'delete', 'patch'].find((name) => textMember(rule, name) !== undefined);
  return verb === undefined ? undefined : { method: verb, path: textMember(rule, verb) ?? '' };
}

/** `idempotency_level` is the method's own word; else the verb that it is offered under speaks. */
function safetyOf({ options }: Method, http: HttpRule | undefined): UnnamedEndpoint['safety'] {
  const level: unknown = options?.['idempotency_level'];
  const readOnly = level === 'NO_SIDE_EFFECTS' || http?.method === 'get';
  const destructive = http?.method === 'delete';
  const idempotent = readOnly || destructive || level === 'IDEMPOTENT' || http?.method === 'put';
  return { readOnly, idempotent, destructive };
}

/** A stream is no call that an agent makes: it is marked, and published only where somebody names it. */
function extrasOf({ requestStream, responseStream }: Method, http: HttpRule | undefined): JsonObject {
  const client = requestStream === true;
  const server = responseStream === true;
  const streaming: Json | undefined =
    client && server ? 'bidirectional' : client ? 'client' : server ? 'server' : undefined;
  return { ...(http && { http: { ...http } }), ...(streaming !== undefined && { streaming }) };
}
