import type { DocumentWarning } from '../documents/findings.js';
import type { LayerOffer } from './layer-offer.js';

export type { LayerOffer };

/** What an MCP server lists, as the catalog takes it. */
export interface ReadToolsList {
  /** One for each tool, ordered by endpoint key; `facts.path` is the tool's name. */
  readonly offers: readonly LayerOffer[];
  /** Pointers lead into `tools`. */
  readonly warnings: readonly DocumentWarning[];
}

/** Reads the tools of a live server like an imported document: off the main thread, within its limits, secrets replaced. */
export abstract class ToolsListReading {
  /** Throws Invalid where they can't be read at all. */
  abstract read(tools: readonly unknown[]): Promise<ReadToolsList>;
}
