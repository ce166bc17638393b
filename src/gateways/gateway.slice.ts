import { aggregate, sliceOf } from '../kernel/slice.js';
import { driftDecider, RecordDrift, SettleDrift } from './drift/drift.commands.js';
import { driftEvents } from './drift/drift.events.js';
import { driftProjection } from './drift/drift.projection.js';
import { toolExposure } from './exposure.link.js';
import { gateway } from './gateway.record.js';

export const gatewaySlice = sliceOf('gateways', [gateway, toolExposure], {
  events: driftEvents,
  aggregates: [aggregate(driftDecider, [RecordDrift, SettleDrift])],
  projections: [driftProjection],
  views: ['gateway_address_read', 'gateway_drift_read', 'gateway_read', 'tool_exposure_read'],
});
