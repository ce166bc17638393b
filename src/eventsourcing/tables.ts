/**
 * What the tables beside the projections are for (contract 3). A projection's table is named by its slice
 * (`Projection.tables`): dropped and rebuilt from the log alone. `derived`: made again by a provider, never part of a
 * catalog's bytes. `operational`: lost without harm to what the log says; its lifetime is stated.
 */
export interface GroundTable {
  readonly kind: 'log' | 'derived' | 'operational';
  readonly lifetime: string;
}

export const groundTables: Readonly<Record<string, GroundTable>> = {
  event_store_t: { kind: 'log', lifetime: 'for ever; the data of an event alone may be erased' },
  host_head_t: { kind: 'operational', lifetime: 'as long as the log; its rows follow from the last events' },
  checkpoint_t: { kind: 'operational', lifetime: 'as long as the follower' },
  idempotency_key_t: { kind: 'operational', lifetime: '25 hours a row' },
  schema_migration_t: { kind: 'operational', lifetime: 'as long as the database' },
};
