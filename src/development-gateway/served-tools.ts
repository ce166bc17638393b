import { routerTools } from '../gateways/mcp-router/router-config.js';
import type { RouterTool } from '../gateways/mcp-router/router-tool.js';
import type { Log } from '../platform/logging/log.js';

/** By name, in the catalog's order. */
export type ServedTools = ReadonlyMap<string, RouterTool>;

/** For how long a configuration is served without asking the catalog, in milliseconds. */
const fresh = 1000;

/** The gateway's configuration, as its catalog exports it; while the catalog can't be asked, as it was. */
export class ToolSource {
  private tools: ServedTools = new Map();
  private config = '';
  private readAt = -Infinity;

  constructor(
    private readonly readConfig: () => Promise<string>,
    private readonly log: Log,
  ) {}

  /** Throws what the reading throws. */
  async load(): Promise<ServedTools> {
    const config = await this.readConfig();
    this.readAt = performance.now();
    if (config === this.config) return this.tools;
    this.tools = new Map(routerTools(config).map((tool) => [tool.name, tool]));
    this.config = config;
    return this.tools;
  }

  async current(): Promise<ServedTools> {
    if (performance.now() - this.readAt < fresh) return this.tools;
    try {
      return await this.load();
    } catch (error) {
      this.readAt = performance.now();
      const reason = error instanceof Error ? error.message : String(error);
      this.log.warn({ reason }, 'the catalog can’t be asked; its last answer is served');
      return this.tools;
    }
  }
}
