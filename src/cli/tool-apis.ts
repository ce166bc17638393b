import type { CatalogClient } from './catalog-client.js';
import { CliFault, exitCodes, parsedAnswer, understood } from './output.js';

/** Names of tools that are looked up, at most. */
const MAX_LOOKED_UP = 50;

interface NamedTool {
  readonly toolId: string;
  readonly name: string;
  /** Null for a tool without an endpoint. */
  readonly apiId: string | null;
}

/** Finds the tools of these names, active or not; none for a token that may not browse. */
export async function toolsNamed(client: CatalogClient, names: Iterable<string>): Promise<NamedTool[]> {
  const tools: NamedTool[] = [];
  for (const name of [...new Set(names)].slice(0, MAX_LOOKED_UP)) {
    const query = new URLSearchParams({ name, active: 'all' });
    try {
      const answer = parsedAnswer(await client.request('GET', `/tools?${query.toString()}`));
      tools.push(...understood(() => [...(answer as { readonly items: readonly NamedTool[] }).items]));
    } catch (error) {
      if (error instanceof CliFault && error.exitCode === exitCodes.refused) return [];
      throw error;
    }
  }
  return tools;
}

/** Writes names with their APIs: `deleteUser (accounts)`. */
export function withApis(tools: readonly NamedTool[]): (name: string) => string {
  return (name) => {
    const apis = tools.filter((tool) => tool.name === name).map(({ apiId }) => apiId ?? 'no API');
    return apis.length === 0 ? name : `${name} (${[...new Set(apis)].sort().join(', ')})`;
  };
}
