import type { RecordedEvent } from '../eventsourcing/event.js';
import type { Projection } from '../eventsourcing/projection.js';
import type { UniqueRules } from '../eventsourcing/slice.js';
import { auditOf } from '../platform/database/audit-columns.js';
import { RowChanges } from '../platform/database/row-changes.js';
import type { GatewayEvent, GatewayProfile } from './gateway.events.js';
import { GatewayRow } from './gateways.row.js';

export const gatewayProjection: Projection = {
  name: 'gateways',
  tables: ['gateway_t', 'gateway_history_t'],
  handles: [
    'GatewayCreatedEvent',
    'GatewayUpdatedEvent',
    'GatewayActivatedEvent',
    'GatewayDeactivatedEvent',
  ] satisfies readonly GatewayEvent['type'][],

  apply(tx, recorded) {
    const events = recorded as readonly (RecordedEvent & GatewayEvent)[];
    const rows = new RowChanges(GatewayRow);
    for (const event of events) {
      const key = { host_id: event.host, gateway_id: event.aggregateid };
      rows.set(key, { ...changeOf(event), ...auditOf(event) }, event.type === 'GatewayCreatedEvent');
    }
    // Gateways of one batch may pass a service and environment on to each other: only the end counts.
    if (events.length > 1) tx.send('SET CONSTRAINTS gateway_identity_uk DEFERRED');
    rows.write(tx);
  },
};

/** The rule that a race could break is kept by the table as well. */
export const gatewayUniqueRules: UniqueRules = {
  gateway_identity_uk: {
    code: 'gateway_exists',
    detail: 'Another active gateway is that of this service and environment already.',
  },
};

function changeOf(event: GatewayEvent): Partial<GatewayRow> {
  switch (event.type) {
    case 'GatewayCreatedEvent':
      return { ...columnsOf(event.data), active: true };
    case 'GatewayUpdatedEvent':
      return columnsOf(event.data);
    case 'GatewayActivatedEvent':
      return { active: true };
    case 'GatewayDeactivatedEvent':
      return { active: false };
  }
}

const columns: Readonly<Record<keyof GatewayProfile, keyof GatewayRow>> = {
  serviceId: 'service_id',
  envTag: 'env_tag',
  url: 'url',
  protocolVersion: 'protocol_version',
  maxSensitivityTier: 'max_sensitivity_tier',
  auth: 'auth',
  checkIntervalSeconds: 'check_interval_seconds',
};

function columnsOf(profile: Partial<GatewayProfile>): Partial<GatewayRow> {
  return Object.fromEntries(
    Object.entries(profile).map(([member, value]) => [columns[member as keyof GatewayProfile], value]),
  );
}
