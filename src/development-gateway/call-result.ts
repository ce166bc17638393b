import { isObject, type JsonObject } from '../documents/json.js';
import { scopeOf, variablesOf } from '../registry/shared.js';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { RouterTool } from '../gateways/shared.js';

/** A call that failed: a stable code and a message that a model can learn from. It becomes an `isError` result. */
export class CallFault extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export type Arguments = Readonly<Record<string, unknown>>;

export function invalidArgument(name: string, detail: string): CallFault {
  return new CallFault('invalid_arguments', `/${name} ${detail}.`);
}

/** Characters of a refusal's body that are handed on to a model. */
const MAX_REFUSAL_LENGTH = 4000;

/** Makes a result of the answer of an HTTP endpoint. Throws CallFault `http_<status>` for other statuses than 2xx. */
export async function httpResult(answer: Response, address: URL): Promise<CallToolResult> {
  const mediaType = answer.headers.get('content-type') ?? '';
  if (!answer.ok) throw refusal(answer.status, await answer.text());
  if (/[/+]json\b/i.test(mediaType)) return jsonResult(await answer.text());
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
function jsonResult(text: string): CallToolResult {
  const content: CallToolResult['content'] = [{ type: 'text', text }];
  try {
    const value = JSON.parse(text) as unknown;
    return isObject(value) ? { content, structuredContent: value } : { content };
  } catch {
    return { content };
  }
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

function asVariables(
  parameters: RouterTool['toolMetadata']['routing']['parameters'],
  args: Arguments,
): Arguments {
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
  { path, graphql }: RouterTool,
  { status, text }: { readonly status: number; readonly text: string },
): unknown {
  const answer = parsed(text, status);
  const { errors, data } = isObject(answer) ? answer : {};
  if (Array.isArray(errors) && errors.length > 0) throw new CallFault('graphql_errors', messagesOf(errors));
  if (!isSuccess(status)) throw refusal(status, text);
  if (!isObject(answer)) throw new CallFault('no_data', 'The service answered what is no GraphQL.');
  const field = graphql?.field ?? path.slice(path.indexOf('/') + 1);
  const payload = isObject(data) ? data[field] : undefined;
  if (!isObject(data) || payload === undefined || payload === null)
    throw new CallFault('no_data', 'Operation returned no data.');
  const faults = isObject(payload) ? payloadErrors.flatMap((name) => listOf(payload[name])) : [];
  if (faults.length > 0) throw new CallFault('payload_errors', messagesOf(faults));
  return graphql?.field === undefined ? data : payload;
}

/** Parses an answer; a refusal by HTTP need not be JSON. */
function parsed(text: string, status: number): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    if (!isSuccess(status)) throw refusal(status, text);
    throw new CallFault(`http_${String(status)}`, 'The service answered what is no JSON.');
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

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
