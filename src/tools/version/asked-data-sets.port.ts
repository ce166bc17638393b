import type { Sql } from '../../kernel/sql.js';

/** Port to the floor that keeps a host's data sets, which versions are evaluated by. */
export abstract class AskedDataSets {
  /** Hex SHA-256 over the canonical JSON of the names and rows of all data sets that the host has now. */
  abstract digest(sql: Sql, hostId: string): Promise<string>;
}
