import type { RecordedEvent } from '../../kernel/event.js';
import { Pace } from '../../kernel/pace.js';
import type { Projection } from '../../kernel/slice.js';
import type { Sql, Transaction } from '../../kernel/sql.js';
import { auditOf, RowChanges } from '../../platform/database/row-changes.js';
import type { ApiEndpointEvent } from './endpoint.events.js';
import { type EndpointState, evolveEndpoint, type KnownEndpoint, unknownEndpoint } from './endpoint.state.js';
import { knownEndpoints } from './endpoint.lookup.js';
import {
  columnsOf,
  type EndpointRow,
  endpointRows,
  type EndpointScopeRow,
  endpointScopeRows,
} from './endpoints.row.js';
import { merge } from './endpoint.layers.js';
import type { ScopeFacts } from '../../formats/shared.js';

type EndpointEvent = RecordedEvent & ApiEndpointEvent;

/**
 * Effective values depend on all layers, so a row is not patched but folded: its state is read, the decider's own `evolve`
 * applied, and the row of the new state written.
 */
export const endpointProjection: Projection = {
  name: 'endpoints',
  tables: ['api_endpoint_t', 'api_endpoint_history_t', 'api_endpoint_scope_t'],
  handles: [
    'ApiEndpointImportedEvent',
    'ApiEndpointVanishedEvent',
    'ApiEndpointReturnedEvent',
    'ApiEndpointOverriddenEvent',
    'ApiEndpointDeactivatedEvent',
    'ApiEndpointActivatedEvent',
    'ApiEndpointConflictSettledEvent',
    'ApiEndpointChangesAcceptedEvent',
  ] satisfies readonly ApiEndpointEvent['type'][],

  async apply(tx, recorded) {
    const events = recorded as readonly EndpointEvent[];
    const states = await statesBefore(tx, events);
    const rows = new RowChanges<EndpointRow>(endpointRows);
    const pace = new Pace();
    for (const event of events) {
      const id = event.aggregateid;
      const state = evolveEndpoint(states.get(id) ?? unknownEndpoint, event);
      states.set(id, state);
      rows.set({ host_id: event.host, endpoint_id: id }, { ...columnsOf(state), ...auditOf(event) }, true);
      await pace.step();
    }
    await rows.writeMany(tx);
    await writeScopes(tx, events, states);
  },
};

/** Replaces the scopes of the endpoints whose documents have changed. */
async function writeScopes(
  tx: Transaction,
  events: readonly EndpointEvent[],
  states: ReadonlyMap<string, EndpointState>,
): Promise<void> {
  const latest = new Map<string, EndpointEvent>();
  const old = new Set<string>();
  for (const event of events) {
    if (event.type !== 'ApiEndpointImportedEvent') continue;
    latest.set(event.aggregateid, event);
    if (event.aggregateversion > 1) old.add(event.aggregateid);
  }
  const [first] = events;
  if (first !== undefined && old.size > 0) {
    tx.send('DELETE FROM api_endpoint_scope_t WHERE host_id = $1 AND endpoint_id = ANY($2::uuid[])', [
      first.host,
      [...old],
    ]);
  }
  const rows = new RowChanges<EndpointScopeRow>(endpointScopeRows);
  const pace = new Pace();
  for (const [id, event] of latest) {
    const state = states.get(id);
    if (state?.status === 'known') addScopes(rows, event, state);
    await pace.step();
  }
  await rows.writeMany(tx);
}

function addScopes(
  rows: RowChanges<EndpointScopeRow>,
  event: EndpointEvent,
  { layers }: KnownEndpoint,
): void {
  const { scopes = [] } = merge(layers).facts;
  for (const [scope_set, needed] of scopes.entries()) {
    for (const [order_index, columns] of scopeColumns(needed).entries()) {
      const key = { host_id: event.host, endpoint_id: event.aggregateid, scope_set, order_index };
      rows.set(key, { ...columns, active: true, ...auditOf(event) }, true);
    }
  }
}

type ScopeColumns = Pick<EndpointScopeRow, 'scheme' | 'scope' | 'scope_desc'>;

function scopeColumns(needed: readonly ScopeFacts[]): readonly ScopeColumns[] {
  if (needed.length === 0) return [{ scheme: null, scope: null, scope_desc: null }];
  return needed.flatMap(({ scheme, scopes, descriptions }): readonly ScopeColumns[] =>
    scopes.length === 0
      ? [{ scheme, scope: null, scope_desc: null }]
      : scopes.map((scope) => ({ scheme, scope, scope_desc: descriptions?.[scope] ?? null })),
  );
}

/** An endpoint whose first event is among these has no row yet. */
async function statesBefore(sql: Sql, events: readonly EndpointEvent[]): Promise<Map<string, EndpointState>> {
  const born = new Set(
    events.filter((event) => event.aggregateversion === 1).map((event) => event.aggregateid),
  );
  const old = new Set(events.map((event) => event.aggregateid).filter((id) => !born.has(id)));
  const [first] = events;
  return new Map(first === undefined ? [] : await knownEndpoints(sql, first.host, [...old]));
}
