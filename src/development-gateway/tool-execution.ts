import type { CallToolResult } from '@modelcontextprotocol/server';
import type { RouterTool } from '../gateways/shared.js';
import { type Arguments, CallFault, graphqlBody, graphqlResult, httpResult } from './call-result.js';
import { requestEndpoint } from './endpoint-request.js';
import { postGraphql } from './graphql-request.js';
import { mcpResult } from './mcp-execution.js';
import type { Target } from './target.js';

/** Whether a tool has no endpoint: a program that follows its spec carries it out, fills in its defaults and checks its arguments. */
export const isImplementation = ({ apiType, method }: RouterTool): boolean =>
  apiType === undefined && method === 'call';

/** Carries out a tool. Throws CallFault, and what the session and the libraries throw. */
export function carryOut(tool: RouterTool, args: Arguments, target: Target): Promise<CallToolResult> {
  if (isImplementation(tool)) return implementation(tool, args, target);
  if (tool.apiType === 'graphql') return graphql(tool, args, target);
  if (tool.method !== 'call') return http(tool, args, target);
  if (tool.apiType === 'mcp') return mcpResult(tool, args, target);
  const protocol = tool.apiType ?? 'this kind of tool';
  throw new CallFault('protocol_not_supported', `The development gateway does not call ${protocol}.`);
}

async function http(tool: RouterTool, args: Arguments, target: Target): Promise<CallToolResult> {
  const { parameters } = tool.toolMetadata.routing;
  return (await requestEndpoint({ ...tool, parameters }, args, target)).result;
}

async function implementation(
  { name, toolMetadata }: RouterTool,
  args: Arguments,
  { url, session, headers }: Target,
): Promise<CallToolResult> {
  const { version } = toolMetadata.lifecycle;
  const address = new URL(url);
  address.pathname = `${url.pathname.replace(/\/$/, '')}/${name}/${encodeURIComponent(version)}`;
  const answer = await session.fetch(address, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(args),
  });
  return httpResult(answer, address);
}

async function graphql(tool: RouterTool, args: Arguments, target: Target): Promise<CallToolResult> {
  return graphqlResult(tool, await postGraphql(target, graphqlBody(tool, args)));
}
