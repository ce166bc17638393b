import { aggregate, type Slice } from '../eventsourcing/slice.js';
import { AcceptDrift, RecordDrift } from './drift.commands.js';
import { driftDecider } from './drift.decider.js';
import { gatewayDriftAccepted, gatewayDriftRecorded } from './drift.events.js';
import { driftProjection } from './drifts.projection.js';
import { ExposeTool, WithdrawTool } from './exposure.commands.js';
import { exposureDecider } from './exposure.decider.js';
import { toolExposureCreated, toolExposureDeleted, toolExposureUpdated } from './exposure.events.js';
import { exposureProjection } from './exposures.projection.js';
import { ActivateGateway, DeactivateGateway, WriteGateway } from './gateway.commands.js';
import { gatewayDecider } from './gateway.decider.js';
import { gatewayActivated, gatewayCreated, gatewayDeactivated, gatewayUpdated } from './gateway.events.js';
import { gatewayProjection, gatewayUniqueRules } from './gateways.projection.js';

export const gatewaySlice: Slice = {
  name: 'gateways',
  events: [
    gatewayCreated,
    gatewayUpdated,
    gatewayActivated,
    gatewayDeactivated,
    toolExposureCreated,
    toolExposureUpdated,
    toolExposureDeleted,
    gatewayDriftRecorded,
    gatewayDriftAccepted,
  ],
  aggregates: [
    aggregate(gatewayDecider, [WriteGateway, ActivateGateway, DeactivateGateway]),
    aggregate(exposureDecider, [ExposeTool, WithdrawTool]),
    aggregate(driftDecider, [RecordDrift, AcceptDrift]),
  ],
  projections: [gatewayProjection, exposureProjection, driftProjection],
  uniqueRules: gatewayUniqueRules,
};
