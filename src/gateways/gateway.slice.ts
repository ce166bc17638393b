import { aggregate, type Slice } from '../eventsourcing/slice.js';
import { AcceptDrift, driftDecider, RecordDrift } from './drift/drift.commands.js';
import { gatewayDriftAccepted, gatewayDriftRecorded } from './drift/drift.events.js';
import { driftProjection } from './drift/drift.projection.js';
import { toolExposure } from './exposure.link.js';
import { gateway } from './gateway.record.js';

export const gatewaySlice: Slice = {
  name: 'gateways',
  events: [...gateway.events, ...toolExposure.events, gatewayDriftRecorded, gatewayDriftAccepted],
  aggregates: [
    aggregate(gateway.decider, []),
    aggregate(toolExposure.decider, []),
    aggregate(driftDecider, [RecordDrift, AcceptDrift]),
  ],
  projections: [gateway.projection, toolExposure.projection, driftProjection],
  uniqueRules: gateway.uniqueRules,
  views: ['gateway_drift_read', 'gateway_read', 'tool_exposure_read'],
};
