import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { RouterTool } from '../gateways/mcp-router/router-tool.js';
import type { OutboundSession } from '../platform/network/outbound-session.js';
import { CallFault, type Arguments } from './call-fault.js';

interface Downstream {
  readonly url: URL;
  readonly session: OutboundSession;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Calls the tool of a downstream MCP server, of whichever revision, and hands its result on. */
export async function mcpResult(
  { endpoint }: RouterTool,
  args: Arguments,
  { url, session, headers, timeout }: Downstream,
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
    const called = { name: endpoint.replace(/@call$/, ''), arguments: { ...args } };
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
