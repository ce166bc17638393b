import { aggregate, type Slice } from '../eventsourcing/slice.js';
import { AcceptDrift, RecordDrift } from './drift.commands.js';
import { driftDecider } from './drift.decider.js';
import { gatewayDriftAccepted, gatewayDriftRecorded } from './drift.events.js';
import { driftProjection } from './drifts.projection.js';
import { ExposeTool, WithdrawTool } from './exposure.commands.js';
import { exposureDecider } from './exposure.decider.js';
import { toolExposureCreated, toolExposureDeleted, toolExposureUpdated } from './exposure.events.js';
import { exposureProjection } from './exposures.projection.js';
import { gateway } from './gateway.record.js';

export const gatewaySlice: Slice = {
  name: 'gateways',
  events: [
    ...gateway.events,
    toolExposureCreated,
    toolExposureUpdated,
    toolExposureDeleted,
    gatewayDriftRecorded,
    gatewayDriftAccepted,
  ],
  aggregates: [
    aggregate(gateway.decider, []),
    aggregate(exposureDecider, [ExposeTool, WithdrawTool]),
    aggregate(driftDecider, [RecordDrift, AcceptDrift]),
  ],
  projections: [gateway.projection, exposureProjection, driftProjection],
  uniqueRules: gateway.uniqueRules,
};
