import { applyPatch, type Operation } from 'rfc6902';
import { type Settings, tokenFrom } from './agent-options.js';
import { type CatalogDocument, type CatalogIdentity, readCatalog } from './catalog-document.js';
import {
  CatalogRefused,
  CatalogUnavailable,
  FaultyCatalog,
  inTime,
  limited,
  limitedFetch,
  messageOf,
  reasonOf,
} from './requests.js';
import { identityOf } from './identity.js';

/** Statuses that refuse the token. */
const refusals: readonly number[] = [400, 401, 403, 404];
const patchType = 'application/json-patch+json';

/** Loads the catalog from the service over HTTP. */
export class CatalogSource {
  private readonly fetch: typeof fetch;

  constructor(private readonly settings: Pick<Settings, 'catalog' | 'fetch'>) {
    this.fetch = limitedFetch(settings.fetch);
  }

  /**
   * Loads the catalog; undefined where the known one is current. Takes a patch of that where it is smaller. Throws
   * CatalogRefused, CatalogUnavailable.
   */
  async load(identity: CatalogIdentity, atHand?: CatalogDocument): Promise<CatalogDocument | undefined> {
    const response = await this.ask(identity, atHand);
    if (response.status === 304 && atHand !== undefined) return undefined;
    const isPatch = response.headers.get('content-type')?.startsWith(patchType) === true;
    try {
      const body: unknown = await response.json();
      return readCatalog(isPatch ? patched(atHand, body) : body, identity);
    } catch (error) {
      // Loads the whole catalog where a patch fails.
      if (isPatch && atHand !== undefined) return this.load(identity);
      throw new CatalogUnavailable(
        error instanceof FaultyCatalog
          ? error.message
          : `The catalog's answer can't be read: ${messageOf(error)}`,
      );
    }
  }

  /** Requests the agent's catalog or a path below it, with a new token. Throws CatalogRefused, CatalogUnavailable. */
  async request(
    { hostId, agentDefId, serviceId, envTag }: CatalogIdentity,
    { path = '', query = {}, headers = {}, signal }: CatalogRequest,
  ): Promise<Response> {
    const { url, token, timeoutMs } = this.settings.catalog;
    const address = new URL(
      `v1/hosts/${encodeURIComponent(hostId)}/agents/${encodeURIComponent(agentDefId)}/effective-catalog${path}`,
      url.endsWith('/') ? url : `${url}/`,
    );
    address.search = new URLSearchParams({ serviceId, envTag, ...query }).toString();
    const send = async (): Promise<Response> => {
      const bearer = await tokenFrom(token, limited(timeoutMs, signal));
      const authorization = `Bearer ${bearer}`;
      return this.fetch(address, { headers: { ...headers, authorization }, redirect: 'error', signal });
    };
    try {
      const first = await send();
      if (first.status !== 401 || typeof token !== 'function') return await accepted(first);
      return await again(first, send);
    } catch (error) {
      if (error instanceof CatalogRefused || error instanceof CatalogUnavailable) throw error;
      throw new CatalogUnavailable(`The catalog at ${address.origin} does not answer: ${reasonOf(error)}`);
    }
  }

  private ask(identity: CatalogIdentity, atHand: CatalogDocument | undefined): Promise<Response> {
    const known = atHand?.catalogHash;
    return this.request(identity, {
      query: known === undefined ? {} : { since: known },
      headers: {
        accept: `application/json, ${patchType}`,
        ...(known !== undefined && { 'if-none-match': `"${known}"` }),
      },
      signal: AbortSignal.timeout(this.settings.catalog.timeoutMs),
    });
  }
}

interface CatalogRequest {
  readonly path?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Tries once more with a new token, since the first may have just expired. */
async function again(first: Response, send: () => Promise<Response>): Promise<Response> {
  await first.body?.cancel();
  try {
    return await accepted(await send());
  } catch (error) {
    if (error instanceof CatalogRefused) throw error;
    throw new CatalogRefused(
      `The catalog answers with the status 401, and then not at all: ${reasonOf(error)}`,
    );
  }
}

/** Takes 401 and 403 for a refusal, whoever answers; 400 and 404 only as problem documents, since a proxy's say nothing of the agent. */
async function accepted(response: Response): Promise<Response> {
  const { status, headers } = response;
  if (status === 200 || status === 304) return response;
  const isProblem = headers.get('content-type')?.startsWith('application/problem+json') === true;
  const said = isProblem ? ((await response.json()) as { detail?: unknown }).detail : undefined;
  if (!isProblem) await response.body?.cancel();
  const message = `The catalog answers with the status ${status}${typeof said === 'string' ? `: ${said}` : '.'}`;
  if (refusals.includes(status) && (isProblem || status === 401 || status === 403))
    throw new CatalogRefused(message);
  const seconds = Number(headers.get('retry-after') ?? undefined);
  throw new CatalogUnavailable(message, Number.isFinite(seconds) ? seconds : undefined);
}

function patched(atHand: CatalogDocument | undefined, patch: unknown): unknown {
  if (atHand === undefined || !Array.isArray(patch))
    throw new FaultyCatalog('a patch came where there is nothing to be patched, or it is none');
  const target: unknown = structuredClone(atHand);
  const faults = applyPatch(target, patch as Operation[]).filter((fault) => fault !== null);
  if (faults.length > 0) throw new FaultyCatalog('its patch does not fit what is at hand');
  return target;
}

/** Milliseconds for token and answer, since a prompt waits. */
const budgetMs = 300;
const MAX_SCORES = 100;

type Scores = ReadonlyMap<string, number>;
type Service = Pick<Settings, 'catalog' | 'fetch'>;

/**
 * Asks the service's own search, which may be semantic, for scores of the agent's tools, by tool id. Empty where
 * there is no agent; undefined where the service does not answer in time.
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
  return {
    prompt: prompt.slice(0, 20_000),
    kinds: ['tool'],
    agentDefId,
    serviceId,
    envTag,
    limit: MAX_SCORES,
  };
}

function scoreOf(item: unknown): [string, number][] {
  const { id, score } = (item ?? {}) as { readonly id?: unknown; readonly score?: unknown };
  return typeof id === 'string' && typeof score === 'number' && score > 0 ? [[id, score]] : [];
}
