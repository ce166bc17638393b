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
  webhook_delivery_t: { kind: 'operational', lifetime: 'until it has arrived; given up, 30 days' },
  gateway_check_t: { kind: 'operational', lifetime: 'as long as the gateway is checked by itself' },
  evaluation_set_t: { kind: 'operational', lifetime: 'until it is replaced' },
  evaluation_t: { kind: 'operational', lifetime: 'as long as the host' },
  search_document_t: { kind: 'derived', lifetime: 'as long as what it describes; made again from the rows' },
  search_embedding_t: {
    kind: 'derived',
    lifetime: 'as long as its text and its model; made again by the provider',
  },
  search_model_t: { kind: 'derived', lifetime: 'as long as the model is in use' },
  search_term_t: { kind: 'derived', lifetime: 'as long as a document holds the word' },
  schema_migration_t: { kind: 'operational', lifetime: 'as long as the database' },
};
