import { createMcpHandler, McpServer, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { AgentClient } from './agent-client.js';

/** The one cache that an agent has. */
const cacheName = 'effective-agent-catalog';

const clearCache = {
  name: 'clear_cache',
  title: 'Clear the cache of the catalog',
  description:
    'Makes the agent load its effective catalog again: at once where it was loaded at startup, else with the next prompt. ' +
    'Until the catalog has answered, what was known is used as stale.',
  inputSchema: {
    type: 'object' as const,
    properties: { name: { type: 'string', enum: [cacheName], description: 'All caches where left out.' } },
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};

/** MCP with the tool by which a control plane has the agent's cache cleared. Who may call it is decided before. */
export function cacheControl(agent: Pick<AgentClient, 'clearCache'>): McpHttpHandler {
  return createMcpHandler(() => {
    const server = new McpServer(
      { name: 'portal-catalog-agent', version: '0.1.0' },
      { capabilities: { tools: {} } },
    );
    server.server.setRequestHandler('tools/list', () => ({ tools: [clearCache] }));
    server.server.setRequestHandler('tools/call', async ({ params }) => {
      const { name = cacheName } = params.arguments ?? {};
      if (params.name !== clearCache.name)
        return failed(`There is no tool ${params.name}, only clear_cache.`);
      if (name !== cacheName) return failed(`There is no such cache, only ${cacheName}.`);
      const cleared = { status: 'cleared', cache: cacheName, catalog: await agent.clearCache() };
      return { content: [{ type: 'text', text: JSON.stringify(cleared) }], structuredContent: cleared };
    });
    return server;
  });
}

function failed(text: string) {
  return { isError: true, content: [{ type: 'text' as const, text }] };
}
