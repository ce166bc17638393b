import { isDeepStrictEqual } from 'node:util';
import type { Decider } from '../eventsourcing/decider.js';
import { ExposeTool, type ToolExposureCommand } from './exposure.commands.js';
import type { Exposure, ToolExposureEvent } from './exposure.events.js';

/** Null while the tool is not exposed. */
export type ToolExposureState = Exposure | null;

export const exposureDecider: Decider<ToolExposureState, ToolExposureCommand, ToolExposureEvent> = {
  aggregateType: 'ToolExposure',
  initial: null,

  decide(command, state) {
    if (command instanceof ExposeTool) {
      const data = command.payload;
      if (state === null) return [{ type: 'ToolExposureCreatedEvent', data }];
      return isDeepStrictEqual(state, data) ? [] : [{ type: 'ToolExposureUpdatedEvent', data }];
    }
    return state === null ? [] : [{ type: 'ToolExposureDeletedEvent', data: command.payload }];
  },

  evolve(_state, event) {
    return event.type === 'ToolExposureDeletedEvent' ? null : event.data;
  },
};
