import { aggregate, sliceOf } from '../kernel/slice.js';
import { AcceptDrift, driftDecider, RecordDrift } from './drift/drift.commands.js';
import { gatewayDriftAccepted, gatewayDriftRecorded } from './drift/drift.events.js';
import { driftProjection } from './drift/drift.projection.js';
import { toolExposure } from './exposure.link.js';
import { gateway } from './gateway.record.js';

export const gatewaySlice = sliceOf('gateways', [gateway, toolExposure], {
  events: [gatewayDriftRecorded, gatewayDriftAccepted],
  aggregates: [aggregate(driftDecider, [RecordDrift, AcceptDrift])],
  projections: [driftProjection],
  views: ['gateway_address_read', 'gateway_drift_read', 'gateway_read', 'tool_exposure_read'],
});
