import { tokenFrom, type Settings } from './agent-options.js';
import type { CatalogIdentity } from './catalog-document.js';
import { limitedFetch } from './limited-fetch.js';

/** Milliseconds that the service has; a prompt does not wait longer for a better order. */
const budgetMs = 300;
const most = 100;

/**
 * What the service's own search, which may know meaning, gives the tools of this agent for a prompt: by tool id.
 * Undefined where it did not say so in time.
 */
export async function serverScores(
  { catalog, fetch: inner }: Pick<Settings, 'catalog' | 'fetch'>,
  { hostId, agentDefId, serviceId, envTag }: CatalogIdentity,
  prompt: string,
): Promise<ReadonlyMap<string, number> | undefined> {
  const base = catalog.url.endsWith('/') ? catalog.url : `${catalog.url}/`;
  const question = {
    prompt: prompt.slice(0, 20_000),
    kinds: ['tool'],
    agentDefId,
    serviceId,
    envTag,
    limit: most,
  };
  try {
    const signal = AbortSignal.timeout(budgetMs);
    const response = await limitedFetch(inner)(
      new URL(`v1/hosts/${encodeURIComponent(hostId)}/search`, base),
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await tokenFrom(catalog.token)}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(question),
        redirect: 'error',
        signal,
      },
    );
    const { items } = (await response.json()) as { readonly items?: unknown };
    if (response.status !== 200 || !Array.isArray(items)) return undefined;
    return new Map(items.flatMap(scoreOf));
  } catch {
    return undefined;
  }
}

function scoreOf(item: unknown): [string, number][] {
  const { id, score } = (item ?? {}) as { readonly id?: unknown; readonly score?: unknown };
  return typeof id === 'string' && typeof score === 'number' && score > 0 ? [[id, score]] : [];
}
