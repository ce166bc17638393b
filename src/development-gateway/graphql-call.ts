/** A GraphQL operation as a tool: a fixed text with the arguments as its variables (GraphQL over HTTP). Pure. */
import type { RouterTool } from '../gateways/mcp-router/router-tool.js';
import { CallFault, type Arguments } from './call-fault.js';
import { refusal } from './http-result.js';
import { isObject } from './parameter-style.js';

/** What is sent. A variable that was not given is left out: null would say something else to the service. */
export function graphqlBody({ name, graphql, toolMetadata }: RouterTool, args: Arguments): object {
  if (graphql === undefined)
    throw new CallFault(
      'no_operation',
      `The gateway knows no operation for ${name}: import its schema again.`,
    );
  const { operationName, document: query } = graphql;
  const { parameters } = toolMetadata.routing;
  const variables = Object.entries(args).flatMap(([argument, value]) => {
    const route = parameters[argument];
    return route?.in === 'argument' ? [[route.name, value] as const] : [];
  });
  return { query, operationName, variables: Object.fromEntries(variables) };
}

/** Lists of errors that payloads carry by convention. */
const payloadErrors = ['errors', 'userErrors'];

/**
 * The data of an answer. Throws CallFault `graphql_errors` where the operation failed, `http_<status>` where it was refused
 * without a word of GraphQL, `no_data` where it answered nothing, `payload_errors` where the payload itself says that it
 * was not done.
 */
export function graphqlData(
  { path }: RouterTool,
  { status, text }: { readonly status: number; readonly text: string },
): Readonly<Record<string, unknown>> {
  const answer = parsed(text, status);
  const { errors, data } = isObject(answer) ? answer : {};
  if (Array.isArray(errors) && errors.length > 0) throw new CallFault('graphql_errors', messagesOf(errors));
  if (!isSuccess(status)) throw refusal(status, text);
  if (!isObject(answer)) throw new CallFault('no_data', 'The service answered what is no GraphQL.');
  const payload = isObject(data) ? data[path.slice(path.indexOf('/') + 1)] : undefined;
  if (!isObject(data) || payload === undefined || payload === null)
    throw new CallFault('no_data', 'The operation returned no data.');
  const faults = isObject(payload) ? payloadErrors.flatMap((name) => listOf(payload[name])) : [];
  if (faults.length > 0) throw new CallFault('payload_errors', messagesOf(faults));
  return data;
}

/** What refuses a request as HTTP goes need not answer JSON. */
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
  return errors.slice(0, 20).map(messageOf).join('; ').slice(0, 4000);
}

function messageOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const message = isObject(error) ? error['message'] : undefined;
  return typeof message === 'string' ? message : JSON.stringify(error);
}
