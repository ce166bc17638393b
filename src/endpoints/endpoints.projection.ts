import type { RecordedEvent } from '../eventsourcing/event.js';
import type { Projection } from '../eventsourcing/projection.js';
import type { Sql } from '../eventsourcing/sql.js';
import { auditOf } from '../platform/database/audit-columns.js';
import { RowChanges } from '../platform/database/row-changes.js';
import type { ApiEndpointEvent } from './endpoint.events.js';
import { evolveEndpoint, unknownEndpoint, type EndpointState } from './endpoint.state.js';
import { knownEndpoints } from './endpoint-layer.lookup.js';
import { columnsOf } from './endpoints.columns.js';
import { EndpointRow } from './endpoints.row.js';

type EndpointEvent = RecordedEvent & ApiEndpointEvent;

/**
 * Effective values depend on all layers, so a row is not patched but folded: the state that it stands for, the
 * decider's own `evolve`, and the row of the state that comes out.
 */
export const endpointProjection: Projection = {
  name: 'endpoints',
  tables: ['api_endpoint_t'],
  handles: [
    'ApiEndpointImportedEvent',
    'ApiEndpointVanishedEvent',
    'ApiEndpointReturnedEvent',
    'ApiEndpointOverriddenEvent',
    'ApiEndpointDeactivatedEvent',
    'ApiEndpointActivatedEvent',
  ] satisfies readonly ApiEndpointEvent['type'][],

  async apply(sql, recorded) {
    const events = recorded as readonly EndpointEvent[];
    const states = await statesBefore(sql, events);
    const last = new Map<string, EndpointEvent>();
    for (const event of events) {
      states.set(event.aggregateid, evolveEndpoint(states.get(event.aggregateid) ?? unknownEndpoint, event));
      last.set(event.aggregateid, event);
    }
    const rows = new RowChanges(EndpointRow);
    for (const [id, event] of last) {
      const state = states.get(id);
      if (state?.status !== 'known') continue;
      rows.set({ host_id: event.host, endpoint_id: id }, { ...columnsOf(state), ...auditOf(event) }, true);
    }
    await rows.write(sql);
  },
};

/** An endpoint whose first event is among these has no row yet. */
async function statesBefore(sql: Sql, events: readonly EndpointEvent[]): Promise<Map<string, EndpointState>> {
  const born = new Set(
    events.filter((event) => event.aggregateversion === 1).map((event) => event.aggregateid),
  );
  const old = new Set(events.map((event) => event.aggregateid).filter((id) => !born.has(id)));
  const [first] = events;
  return new Map(first === undefined ? [] : await knownEndpoints(sql, first.host, [...old]));
}
