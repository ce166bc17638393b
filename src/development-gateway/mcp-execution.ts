import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { RouterTool } from '../gateways/shared.js';
import { type Arguments, asNamed, CallFault } from './call-result.js';
import type { Target } from './target.js';

/** Calls the tool of a downstream MCP server of any revision. */
export async function mcpResult(
  { endpoint, toolMetadata: { routing } }: RouterTool,
  args: Arguments,
  { url, session, headers, timeout }: Target,
): Promise<CallToolResult> {
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: session.fetch,
    requestInit: { headers },
  });
  const client = new Client(
    { name: 'portal-catalog-development-gateway', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  );
  try {
    await client.connect(transport, { timeout });
    const called = { name: endpoint.replace(/@call$/, ''), arguments: asNamed(routing.parameters, args) };
    const { content, structuredContent, isError } = await client.callTool(called, { timeout });
    await transport.terminateSession().catch(() => undefined);
    return {
      content,
      ...(structuredContent === undefined ? {} : { structuredContent }),
      ...(isError === true ? { isError } : {}),
    };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new CallFault(
      'downstream_error',
      `The server behind it refuses with ${String(error.code)}: ${error.message}`,
    );
  } finally {
    await client.close().catch(() => undefined);
  }
}
