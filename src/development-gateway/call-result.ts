import { isObject, type JsonObject } from '../documents/json.js';
import { scopeOf, variablesOf } from '../registry/shared.js';
import { resultFaults } from './schema-faults.js';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { faultMeta, type RouterTool } from '../gateways/shared.js';

/**
 * Where a call failed: `service` before anything was sent, `network` on the way, `http` where the server refuses it or answers what
 * can't be read, `graphql` where it does not carry the operation out, `payload` where the operation itself says no.
 */
export type FaultLevel = 'service' | 'network' | 'http' | 'graphql' | 'payload';

/** The operation that failed, those that were done before it, and whether something may have changed. */
interface FaultPlace {
  readonly operation: string;
  readonly done: readonly string[];
  readonly changed: 'nothing' | 'unknown';
}

/** A call that failed: a stable code and a message that a model can learn from. It becomes an `isError` result. */
export class CallFault extends Error {
  readonly level: FaultLevel;

  constructor(
    readonly code: string,
    message: string,
    /** Where it failed, of a tool over several operations. */
    private readonly place?: FaultPlace,
    /** Whether the operation that says no answers something beside that, so that a part may have been done. */
    readonly isPartial = false,
  ) {
    super(message);
    this.level = levelOf(code);
  }

  /** As text for the model, and as members for programs. */
  get result(): CallToolResult {
    return {
      isError: true,
      content: [{ type: 'text', text: `${this.code}: ${this.message}` }],
      _meta: { [faultMeta]: { code: this.code, level: this.level, ...this.place } },
    };
  }
}

const levels: readonly (readonly [RegExp, FaultLevel])[] = [
  [/^(graphql_errors|no_data|answer_unfit)$/, 'graphql'],
  [/^(payload_errors|needs_missing)$/, 'payload'],
  [
    /^(http_\d+|answer_too_deep|result_unfit|downstream_(error|unauthorized|broken|too_large|redirected))$/,
    'http',
  ],
  [/^downstream_/, 'network'],
];

function levelOf(code: string): FaultLevel {
  return levels.find(([pattern]) => pattern.test(code))?.[1] ?? 'service';
}

export type Arguments = Readonly<Record<string, unknown>>;

export function invalidArgument(name: string, detail: string): CallFault {
  return new CallFault('invalid_arguments', `/${name} ${detail}.`);
}

/** Characters of a refusal's body that are handed on to a model. */
const MAX_REFUSAL_LENGTH = 4000;

/** Makes a result of the answer of an HTTP endpoint. Throws CallFault `http_<status>` for other statuses than 2xx. */
export async function httpResult(answer: Response, address: URL): Promise<CallToolResult> {
  return (await httpAnswer(answer, address)).result;
}

/** The same, with the value where it is JSON. */
export async function httpAnswer(
  answer: Response,
  address: URL,
): Promise<{ readonly result: CallToolResult; readonly value?: unknown }> {
  if (!answer.ok) throw refusal(answer.status, await answer.text());
  const mediaType = answer.headers.get('content-type') ?? '';
  if (/[/+]json\b/i.test(mediaType)) return jsonAnswer(await answer.text());
  return { result: await otherResult(answer, mediaType, address) };
}

async function otherResult(answer: Response, mediaType: string, address: URL): Promise<CallToolResult> {
  if (mediaType === '' || /^text\/|[/+]xml\b/i.test(mediaType))
    return { content: [{ type: 'text', text: await answer.text() }] };
  const blob = Buffer.from(await answer.arrayBuffer()).toString('base64');
  const [mimeType = mediaType] = mediaType.split(';');
  if (mimeType.startsWith('image/')) return { content: [{ type: 'image', data: blob, mimeType }] };
  return { content: [{ type: 'resource', resource: { uri: address.href, mimeType, blob } }] };
}

function refusal(status: number, text: string): CallFault {
  return new CallFault(
    `http_${String(status)}`,
    text.slice(0, MAX_REFUSAL_LENGTH) || 'The endpoint refused.',
  );
}

/** Makes a result of JSON text; of an object with structured content. */
function jsonAnswer(text: string): { readonly result: CallToolResult; readonly value?: unknown } {
  refuseDepth(text);
  try {
    const value = JSON.parse(text) as unknown;
    return { value, result: jsonResult(value, text) };
  } catch {
    return { result: { content: [{ type: 'text', text }] } };
  }
}

/** A value as a result: as text, and an object as structured content. */
export function jsonResult(value: unknown, text = JSON.stringify(value)): CallToolResult {
  const content: CallToolResult['content'] = [{ type: 'text', text }];
  return isObject(value) ? { content, structuredContent: value } : { content };
}

/**
 * Makes the body of a GraphQL operation: its variables as the spec maps them, or the arguments. Leaves out variables that
 * were not given: null means something else.
 */
export function graphqlBody(
  { name, graphql, inputSchema, toolMetadata }: RouterTool,
  args: Arguments,
): object {
  if (graphql === undefined)
    throw new CallFault(
      'no_operation',
      `The gateway knows no operation for ${name}: import its schema again.`,
    );
  const { operationName, document: query, variables: template, keepNull = [] } = graphql;
  const variables =
    template === undefined
      ? asVariables(toolMetadata.routing.parameters, args)
      : variablesOf(
          { variables: template, keepNull },
          scopeOf(inputSchema as JsonObject, args as JsonObject),
        );
  return { query, ...(operationName !== undefined && { operationName }), variables };
}

type Routes = RouterTool['toolMetadata']['routing']['parameters'];

/** Gives arguments the names that the server has for them; what has no route keeps its own. */
export function asNamed(parameters: Routes, args: Arguments): Arguments {
  const named = Object.entries(args).map(([argument, value]): [string, unknown] => {
    const route = Object.hasOwn(parameters, argument) ? parameters[argument] : undefined;
    return [route?.in === 'argument' ? route.name : argument, value];
  });
  return Object.fromEntries(named);
}

/**
 * Gives arguments of a former version the names of now: it may have some under the API's own names, which are offered under
 * others since.
 */
export function asRouted(parameters: Routes, args: Arguments): Arguments {
  const offered = Object.entries(parameters).filter(([argument, { name }]) => argument !== name);
  if (offered.length === 0) return args;
  const named = Object.entries(args).map(([argument, value]): [string, unknown] => {
    if (Object.hasOwn(parameters, argument)) return [argument, value];
    const [now = argument] =
      offered.find(([other, { name }]) => name === argument && !Object.hasOwn(args, other)) ?? [];
    return [now, value];
  });
  return Object.fromEntries(named);
}

function asVariables(parameters: Routes, args: Arguments): Arguments {
  const variables = Object.entries(args).flatMap(([argument, value]) => {
    const route = parameters[argument];
    return route?.in === 'argument' ? [[route.name, value] as const] : [];
  });
  return Object.fromEntries(variables);
}

/** Members that hold errors of a payload by convention. */
const payloadErrors = ['errors', 'userErrors'];

/**
 * Reads the data of an answer: of an operation that a spec says its result alone. Throws CallFault `graphql_errors` where the operation failed, `http_<status>` where
 * HTTP refused it, `no_data` where there is none, `payload_errors` where the payload holds errors.
 */
export function graphqlData(
  { path, graphql }: Pick<RouterTool, 'path' | 'graphql'>,
  { status, text }: { readonly status: number; readonly text: string },
): unknown {
  const answer = parsed(text, status);
  const { errors, data } = isObject(answer) ? answer : {};
  const failures = failuresIn(errors);
  if (failures.length > 0) throw new CallFault('graphql_errors', messagesOf(failures));
  if (!isSuccess(status)) throw refusal(status, text);
  if (!isObject(answer)) throw new CallFault('no_data', 'The service answered what is no GraphQL.');
  const field = graphql?.field ?? path.slice(path.indexOf('/') + 1);
  const payload = isObject(data) && Object.hasOwn(data, field) ? data[field] : undefined;
  if (!isObject(data) || payload === undefined || payload === null)
    throw new CallFault('no_data', 'Operation returned no data.');
  const faults = isObject(payload) ? payloadErrors.flatMap((name) => listOf(payload[name])) : [];
  if (faults.length > 0)
    throw new CallFault('payload_errors', messagesOf(faults), undefined, isPartly(payload as JsonObject));
  return graphql?.field === undefined ? data : payload;
}

/** Levels of objects and lists in an answer; far more than any schema has. */
const MAX_DEPTH = 200;

/** Refuses what is nested too deep, by the text: whatever walks the value would call itself for each level. */
function refuseDepth(text: string): void {
  let depth = 0;
  // A text that does not end is read to the end of the answer once, not anew from each of its quotes.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]{}]/gs)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (depth > MAX_DEPTH)
      throw new CallFault(
        'answer_too_deep',
        `The service answered what is nested more than ${String(MAX_DEPTH)} levels deep.`,
      );
  }
}

/** The data of a GraphQL operation as a result. Throws CallFault as {@link graphqlData} does, and `answer_unfit`. */
export function graphqlResult(
  tool: RouterTool,
  answer: { readonly status: number; readonly text: string },
): CallToolResult {
  const data = graphqlData(tool, answer);
  const { graphql, outputSchema } = tool;
  if (graphql?.field !== undefined && outputSchema !== undefined) {
    const [fault] = resultFaults(outputSchema, data);
    if (fault !== undefined)
      throw new CallFault(
        'answer_unfit',
        `The operation was carried out, and its result has not the shape that the tool says: ${fault}.`,
      );
  }
  return jsonResult(data);
}

/** Parses an answer; a refusal by HTTP need not be JSON. */
function parsed(text: string, status: number): unknown {
  refuseDepth(text);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    if (!isSuccess(status)) throw refusal(status, text);
    throw new CallFault(`http_${String(status)}`, 'The service answered what is no JSON.');
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** The errors of an answer, which are a list where the service keeps to GraphQL; whatever else stands there is one of its own. */
function failuresIn(errors: unknown): readonly unknown[] {
  if (Array.isArray(errors)) return errors;
  return errors === undefined || errors === null || errors === false || errors === '' ? [] : [errors];
}

/** Whether a payload with errors holds an object, too: what was made or changed in spite of them. */
function isPartly(payload: JsonObject): boolean {
  return Object.entries(payload).some(([name, value]) => !payloadErrors.includes(name) && isObject(value));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function messagesOf(errors: readonly unknown[]): string {
  return errors.slice(0, 20).map(messageOf).join(', ').slice(0, 4000);
}

function messageOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const message = isObject(error) ? error['message'] : undefined;
  return typeof message === 'string' ? message : JSON.stringify(error);
}
