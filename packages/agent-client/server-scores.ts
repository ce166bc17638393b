import { tokenFrom, type Settings } from './agent-options.js';
import type { CatalogIdentity } from './catalog-document.js';
import { CatalogRefused } from './faults.js';
import { identityOf } from './identity.js';
import { inTime } from './in-time.js';
import { limitedFetch } from './limited-fetch.js';

/** Milliseconds for token and answer; a prompt does not wait longer for a better order. */
const budgetMs = 300;
const most = 100;

type Scores = ReadonlyMap<string, number>;
type Service = Pick<Settings, 'catalog' | 'fetch'>;

/**
 * What the service's own search, which may know meaning, gives the tools of this agent for a prompt: by tool id. Empty
 * where there is nobody whose tools could be ranked; undefined where the service did not say so in time.
 */
export async function serverScores(service: Service, prompt: string): Promise<Scores | undefined> {
  const signal = AbortSignal.timeout(budgetMs);
  try {
    return await inTime(signal, asked(service, prompt, signal));
  } catch (error) {
    return error instanceof CatalogRefused ? new Map() : undefined;
  }
}

async function asked(service: Service, prompt: string, signal: AbortSignal): Promise<Scores | undefined> {
  const { catalog, fetch: inner } = service;
  const token = await tokenFrom(catalog.token, signal);
  const identity = identityOf(catalog, token);
  if (identity === undefined) return new Map();
  const response = await limitedFetch(inner)(addressOf(catalog.url, identity), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(questionOf(identity, prompt)),
    redirect: 'error',
    signal,
  });
  const { items } = (await response.json()) as { readonly items?: unknown };
  if (response.status !== 200 || !Array.isArray(items)) return undefined;
  return new Map(items.flatMap(scoreOf));
}

function addressOf(url: string, { hostId }: CatalogIdentity): URL {
  const base = url.endsWith('/') ? url : `${url}/`;
  return new URL(`v1/hosts/${encodeURIComponent(hostId)}/search`, base);
}

function questionOf({ agentDefId, serviceId, envTag }: CatalogIdentity, prompt: string): object {
  return { prompt: prompt.slice(0, 20_000), kinds: ['tool'], agentDefId, serviceId, envTag, limit: most };
}

function scoreOf(item: unknown): [string, number][] {
  const { id, score } = (item ?? {}) as { readonly id?: unknown; readonly score?: unknown };
  return typeof id === 'string' && typeof score === 'number' && score > 0 ? [[id, score]] : [];
}
