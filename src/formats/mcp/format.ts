import type { Format } from '../format.js';
import { pagesOf, routerPage } from './tool-pages.js';

export const mcp = {
  name: 'mcp',
  apiType: 'mcp',
  title: 'an MCP tools/list answer',
  signs: 'an MCP tools/list answer (`tools`, a JSON-RPC result, pages, or a list of tools)',
  recognise: (document) => routerPage(document) === undefined && pagesOf(document) !== undefined,
  read: async ({ value }, context) => {
    const { readToolsList } = await import('./read-tools.js');
    return readToolsList(value, pagesOf(value) ?? [], context);
  },
} as const satisfies Format;

/** The tools of a gateway, which say beside what their server lists what stands behind them. */
export const mcpRouter = {
  name: 'mcp-router',
  apiType: 'mcp',
  title: 'the tools of a gateway’s values.yml (`mcp-router.tools`)',
  signs: 'the values.yml of a gateway (`mcp-router.tools`)',
  recognise: (document) => routerPage(document) !== undefined,
  read: async ({ value }, context) => {
    const { readRouterTools } = await import('./read-tools.js');
    return readRouterTools(routerPage(value), context);
  },
} as const satisfies Format;
