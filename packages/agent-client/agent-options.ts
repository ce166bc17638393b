import type { MacroFilters } from '../ranking/macro-filter.js';
import { inTime } from './requests.js';

/** A bearer token, or a function that gives one for each request. Never logged. */
export type TokenSource = string | (() => string | Promise<string>);

export interface CatalogOptions {
  /** Address of the service, without `/v1`. */
  readonly url: string;
  readonly token: TokenSource;
  /** Identity of the agent; taken from the token's `host`, `agent_def_id`, `sid` and `env` where left out. */
  readonly hostId?: string;
  readonly agentDefId?: string;
  readonly serviceId?: string;
  readonly envTag?: string;
  /** Milliseconds for one answer, and for a token; 5,000 where left out. */
  readonly timeoutMs?: number;
}

export interface GatewayOptions {
  /** Address of MCP over Streamable HTTP. */
  readonly url: string;
  readonly token?: TokenSource;
  /** Milliseconds for a whole `tools/list`; 5,000 where left out. */
  readonly listTimeoutMs?: number;
  /** Milliseconds for one `tools/call`; 60,000 where left out. */
  readonly callTimeoutMs?: number;
}

/**
 * Tools that are offered where the catalog selects none. `gateway-tools` are all that the gateway lists, unselected.
 * No fallback applies where the token is refused or missing.
 */
export interface Fallbacks {
  /** The catalog has nothing for the prompt; `catalog-tools` (all of its tools) where left out. */
  readonly noMatch?: 'catalog-tools' | 'gateway-tools' | 'none';
  /** There is no usable catalog; `none` where left out. */
  readonly noCatalog?: 'gateway-tools' | 'none';
  /** No agent is named, neither here nor by the token; `none` where left out. */
  readonly noAgent?: 'gateway-tools' | 'none';
}

export interface SelectionOptions {
  /** Maximum of tools that match a prompt; 12 where left out. */
  readonly limit?: number;
  /** Maximum of characters of skill instructions; 8,000 where left out (about 2,000 tokens). */
  readonly instructionCharacters?: number;
  /** Whether scores of the service's own search are added, which has 300 ms to answer. */
  readonly semantic?: boolean;
  /** Filters for every prompt. */
  readonly filters?: MacroFilters;
}

export type LogLevel = 'debug' | 'info' | 'warn';
/** Facts hold names, codes and reasons; never tokens, arguments or results. */
export type Log = (level: LogLevel, message: string, facts: Readonly<Record<string, unknown>>) => void;

export interface AgentClientOptions {
  readonly catalog: CatalogOptions;
  readonly gateway: GatewayOptions;
  /**
   * `startup` loads in `start()` and reloads as soon as the catalog has changed; `first-request` loads with the first
   * prompt and reloads with the first one after a change. `startup` where left out.
   */
  readonly load?: 'startup' | 'first-request';
  /** Whether changes are followed by server-sent events; true where left out. */
  readonly follow?: boolean;
  /** Keeps the catalog in this folder too, below host and agent, readable by this user alone. */
  readonly cacheDirectory?: string;
  /** How long after its time to live a catalog may be used while the service does not answer; 300 where left out. */
  readonly staleOnErrorSeconds?: number;
  readonly fallback?: Fallbacks;
  readonly selection?: SelectionOptions;
  readonly log?: Log;
  readonly fetch?: typeof fetch;
  /** Clock in milliseconds since 1970; the machine's where left out. */
  readonly clock?: () => number;
}

/** Options with defaults. */
export interface Settings {
  readonly catalog: CatalogOptions & { readonly timeoutMs: number };
  readonly gateway: GatewayOptions & { readonly listTimeoutMs: number; readonly callTimeoutMs: number };
  readonly eager: boolean;
  readonly follow: boolean;
  readonly cacheDirectory: string | undefined;
  readonly staleOnErrorSeconds: number;
  readonly fallback: Required<Fallbacks>;
  readonly selection: Required<SelectionOptions>;
  readonly log: Log;
  readonly fetch: typeof fetch;
  readonly clock: () => number;
}

export function settingsOf(options: AgentClientOptions): Settings {
  const { catalog, gateway, load = 'startup', follow = true, cacheDirectory } = options;
  for (const [option, { url }] of Object.entries({ catalog, gateway })) {
    if (!/^https?:\/\//.test(url))
      throw new Error(`${option}.url is "${url}", which is no address: write one with http:// or https://.`);
  }
  return {
    catalog: { timeoutMs: 5_000, ...catalog },
    gateway: { listTimeoutMs: 5_000, callTimeoutMs: 60_000, ...gateway },
    eager: load === 'startup',
    ...{ follow, cacheDirectory },
    staleOnErrorSeconds: options.staleOnErrorSeconds ?? 300,
    fallback: {
      ...{ noMatch: 'catalog-tools', noCatalog: 'none', noAgent: 'none' },
      ...options.fallback,
    },
    selection: {
      limit: 12,
      instructionCharacters: 8_000,
      semantic: false,
      filters: {},
      ...options.selection,
    },
    log: options.log ?? (() => undefined),
    fetch: options.fetch ?? fetch,
    clock: options.clock ?? Date.now,
  };
}

/** Gets a token. Throws what its source throws, and the signal's reason where that comes first. */
export async function tokenFrom(source: TokenSource, signal: AbortSignal): Promise<string> {
  return typeof source === 'string' ? source : inTime(signal, Promise.resolve().then(source));
}
