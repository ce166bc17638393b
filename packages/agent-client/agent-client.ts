import { settingsOf, type AgentClientOptions, type Settings } from './agent-options.js';
import { CatalogCache, type CurrentCatalog } from './catalog-cache.js';
import { CatalogEvents } from './catalog-events.js';
import { CatalogSource, serverScores } from './catalog-source.js';
import { diagnosticsOf, type Diagnostics } from './diagnostics.js';
import { Gateway } from './gateway.js';
import { promptFacts, type Findings, type PromptFacts, type PromptOptions } from './prompt-facts.js';
import { Turn } from './turn.js';

export interface DiagnosticsQuestion extends PromptOptions {
  readonly prompt?: string;
  /** Whether the catalog is loaded first, even where it is fresh. */
  readonly refresh?: boolean;
}

/**
 * An agent's side of the catalog: gives each prompt its tools and instructions, and calls these tools. The catalog
 * guides, the gateway executes: tools that are offered are in both, unless a fallback says otherwise.
 */
export class AgentClient {
  private readonly settings: Settings;
  private readonly source: CatalogSource;
  private readonly cache: CatalogCache;
  private readonly events: CatalogEvents;
  private readonly gateway: Gateway;

  /** Throws for invalid options. */
  constructor(options: AgentClientOptions) {
    this.settings = settingsOf(options);
    this.source = new CatalogSource(this.settings);
    this.cache = new CatalogCache(this.settings, this.source);
    this.events = new CatalogEvents(this.settings, this.source, this.cache);
    this.gateway = new Gateway(this.settings);
  }

  /**
   * Loads the catalog, unless that is left to the first prompt, and follows its changes. Does not throw where the
   * catalog is down.
   */
  async start(): Promise<void> {
    if (!this.settings.eager) return;
    await this.cache.refreshed();
    this.cache.keepTrying();
    if (this.settings.follow) this.events.start();
  }

  /** Prepares the tools and instructions of a prompt. Never throws: `notice` and `state` say what is missing. */
  async prepare(prompt: string, options: PromptOptions = {}): Promise<Turn> {
    const { facts } = await this.considered(prompt, options);
    const { state, tools } = facts;
    this.settings.log('debug', 'prompt prepared', { ...state, tools: tools.length });
    const unchosen = tools.filter(({ source }) => source === 'gateway').length;
    if (unchosen > 0)
      this.settings.log('warn', 'tools offered that no catalog chose', { ...state, unchosen });
    return new Turn(facts, this.gateway, this.settings.log);
  }

  /** Compares catalog and gateway, asking both, and says what a prompt would be given. */
  async diagnostics({
    prompt = '',
    refresh = false,
    ...options
  }: DiagnosticsQuestion = {}): Promise<Diagnostics> {
    if (refresh) this.cache.invalidate();
    return diagnosticsOf(await this.considered(prompt, options), this.settings);
  }

  /** Loads the catalog again, at once or with the next prompt, as `load` says. */
  invalidate(): void {
    this.cache.invalidate();
  }

  /**
   * Does the same as {@link invalidate} and waits for the result. The old catalog is stale until the service has
   * answered.
   */
  async clearCache(): Promise<CurrentCatalog['state']> {
    this.cache.invalidate();
    const { state } = this.settings.eager ? await this.cache.refreshed() : this.cache.current();
    return state;
  }

  async close(): Promise<void> {
    await Promise.all([this.cache.close(), this.events.close(), this.gateway.close()]);
  }

  private async considered(prompt: string, options: PromptOptions): Promise<PromptFacts & Findings> {
    const [current, live, scores] = await Promise.all([
      this.refreshed(),
      this.gateway.list().catch((error: unknown) => error as Error),
      this.scores(prompt),
    ]);
    const findings = { current, live, serverScores: scores };
    return { ...findings, ...promptFacts(findings, prompt, options, this.settings) };
  }

  private async refreshed(): Promise<CurrentCatalog> {
    const current = await this.cache.refreshed();
    // Starts with the first prompt where `start` was not called.
    if (this.settings.follow) this.events.start();
    return current;
  }

  /**
   * Asks for scores of the service's search; empty where they are off, undefined where it does not answer in time.
   */
  private async scores(prompt: string): Promise<ReadonlyMap<string, number> | undefined> {
    const isAsked = this.settings.selection.semantic && prompt !== '';
    return isAsked ? serverScores(this.settings, prompt) : new Map();
  }
}
