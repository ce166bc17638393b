import { parse, Root, Service, type Method, type NamespaceBase, type ReflectionObject } from 'protobufjs';
import { UnreadableDocument, type WarningSink } from '../../documents/findings.js';
import { byCodePoint, isObject, textMember, type Json, type JsonObject } from '../../documents/json.js';
import type { DocumentLimits } from '../../documents/limits.js';
import type { SafetyFacts } from '../endpoint-facts.js';
import {
  argumentRoutes,
  refuseTooMany,
  type DescribedOperation,
  type Description,
  type ReadContext,
} from '../format.js';
import { SchemaCopier } from '../schema/copier.js';
import { SchemaSource } from '../schema/source.js';
import { standalone } from '../schema/standalone.js';
import { auxiliary, MessageSchemas, nameOf, optionsOf } from './message-schemas.js';

/** Reads every method of every service in .proto files. */
export function readProto(files: readonly ProtoFile[], context: ReadContext): Description {
  const parsed = parseFiles(files);
  const services = servicesOf(parsed, context.warnings);
  const methods = services.flatMap((service) => service.methodsArray);
  if (methods.length === 0) {
    const detail =
      'No file declares a service with methods: there is nothing to import. Send the files that declare services along.';
    throw new UnreadableDocument('no_operations', detail);
  }
  refuseTooMany(methods.length, context.limits, '');
  const reader = new MethodReader(parsed, context);
  return {
    formatVersion: [...new Set(parsed.files.map(({ syntax }) => syntax))].sort().join(', '),
    title: services.map(({ name }) => name).join(', '),
    operations: methods.map((method) => reader.read(method)),
  };
}

/** Leaves out those of files that others import to speak of long-running calls and the like, with a warning. */
function servicesOf({ root, files }: ParsedFiles, warnings: WarningSink): Service[] {
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
  private readonly limits: DocumentLimits;

  constructor({ root }: ParsedFiles, { limits, warnings }: ReadContext) {
    this.limits = limits;
    this.schemas = new MessageSchemas(warnings);
    const definitions = Object.fromEntries(this.schemas.definitions(root));
    const source = new SchemaSource({ definitions }, '/definitions/');
    this.inputs = new SchemaCopier(source, 'input', warnings);
    this.outputs = new SchemaCopier(source, 'output', warnings);
  }

  read(method: Method): DescribedOperation {
    const service = method.parent as Service;
    const path = `${nameOf(service)}/${method.name}`;
    const { inputSchemaLength, outputSchemaLength } = this.limits;
    const inputSchema = this.schemaOf(method.requestType, service, this.inputs, inputSchemaLength);
    const http = httpOf(method);
    return {
      endpoint: `${path}@call`,
      facts: {
        ...{ method: 'call', path, sourceName: `${service.name}_${method.name}` },
        description: method.comment ?? '',
        inputSchema: { ...inputSchema, type: 'object' },
        outputSchema: this.schemaOf(method.responseType, service, this.outputs, outputSchemaLength),
        routing: { parameters: argumentRoutes(inputSchema) },
        safety: safetyOf(method, http),
        lifecycleStatus: method.options?.['deprecated'] === true ? 'deprecated' : 'active',
        extras: extrasOf(method, http),
      },
    };
  }

  /** A message is a definition; its properties stand at the top. */
  private schemaOf(type: string, service: Service, copier: SchemaCopier, maxLength: number): JsonObject {
    const reference = this.schemas.reference(type, service.parent);
    return standalone(copier.copyTarget(reference, ''), copier, maxLength, '');
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

/** Reads `idempotency_level`, else the HTTP verb that the method is offered under. */
function safetyOf({ options }: Method, http: HttpRule | undefined): SafetyFacts {
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

interface ProtoFile {
  /** Within the upload; empty where only one text was sent. */
  readonly path: string;
  readonly text: string;
}

/** What stands in a file, beside the types that it adds to the root. */
interface ParsedFile {
  readonly path: string;
  readonly package: string;
  readonly imports: readonly string[];
  /** `proto2`, `proto3`, or the edition: `2023`. */
  readonly syntax: string;
}

interface ParsedFiles {
  readonly root: Root;
  readonly files: readonly ParsedFile[];
}

/**
 * Parses files into one root. What they import is never fetched: it is among them, or known, or stays unknown.
 *
 * @throws UnreadableDocument `malformed_proto` with file and line
 */
function parseFiles(files: readonly ProtoFile[]): ParsedFiles {
  const root = new Root();
  const parsed = files.map(({ path, text }) => {
    try {
      const file = parse(text, root, { keepCase: true, alternateCommentMode: true });
      return {
        path,
        package: file.package ?? '',
        imports: [...(file.imports ?? []), ...(file.weakImports ?? [])],
        // The parser keeps it to itself. It is the first statement, and proto2 where there is none.
        syntax: /^[ \t]*(?:syntax|edition)\s*=\s*["']([\w.]{1,20})["']/m.exec(text)?.[1] ?? 'proto2',
      };
    } catch (fault) {
      if (!(fault instanceof Error) || fault instanceof RangeError) throw fault;
      const where = path === '' ? '' : ` in ${path}`;
      throw new UnreadableDocument(
        'malformed_proto',
        `This is no .proto text: ${fault.message.slice(0, 300)}${where}. Mend it there and send it again.`,
      );
    }
  });
  return { root, files: parsed };
}
