import type { DocumentWarning } from '../documents/findings.js';
import type { Sql } from '../kernel/sql.js';
import type { EndpointFacts } from '../formats/shared.js';
import type { Caller } from '../platform/auth/caller.js';

/** Carries an import out, lets the caller look at the result, and rolls it back. */
export abstract class ImportDryRun {
  /**
   * @param body that of `POST …/imports`
   * @param look asks nothing but through `sql`, and not for long: the host's lock is held meanwhile
   *
   * Throws what the import throws.
   */
  abstract dryRun<Seen>(caller: Caller, body: object, look: (sql: Sql) => Promise<Seen>): Promise<Seen>;
}

/** A tool as a server lists it. */
export interface ListedTool {
  /** Hex SHA-256 of the RFC 8785 bytes of the facts. */
  readonly digest: string;
  /** `path` is the tool's name. */
  readonly facts: EndpointFacts;
}

/** What an MCP server lists, as the catalog takes it. */
export interface ReadToolsList {
  /** One for each tool, ordered by endpoint key. */
  readonly offers: readonly ListedTool[];
  /** Pointers lead into `tools`. */
  readonly warnings: readonly DocumentWarning[];
}

/** Reads the tools of a live server like an imported document: off the main thread, within its limits, secrets replaced. */
export abstract class ToolsListReading {
  /** Throws Invalid where they can't be read at all. */
  abstract read(tools: readonly unknown[], hostId: string): Promise<ReadToolsList>;
}
