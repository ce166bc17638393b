import { isDeepStrictEqual } from 'node:util';
import type { Decider } from '../eventsourcing/decider.js';
import { NotFound } from '../eventsourcing/errors.js';
import { LinkTool, type SkillToolCommand } from './skill-tool.commands.js';
import type { AccessLevel, SkillToolEvent } from './skill-tool.events.js';
import { refuseToLeave } from './workflow-tools.js';

export type SkillToolState =
  | { readonly status: 'absent' }
  | {
      readonly status: 'linked';
      readonly accessLevel: AccessLevel;
      readonly config: Readonly<Record<string, unknown>>;
    };

export const skillToolDecider: Decider<SkillToolState, SkillToolCommand, SkillToolEvent> = {
  aggregateType: 'SkillTool',
  initial: { status: 'absent' },

  decide(command, state) {
    const { skillId, toolId } = command.payload;
    if (command instanceof LinkTool) {
      const data = command.payload;
      if (state.status === 'absent') return [{ type: 'SkillToolCreatedEvent', data }];
      const same = state.accessLevel === data.accessLevel && isDeepStrictEqual(state.config, data.config);
      return same ? [] : [{ type: 'SkillToolUpdatedEvent', data }];
    }
    if (state.status === 'absent') throw new NotFound(`link of skill ${skillId} to tool`, toolId);
    refuseToLeave(toolId, command.payload.needs);
    return [{ type: 'SkillToolDeletedEvent', data: { skillId, toolId } }];
  },

  evolve(_state, event) {
    if (event.type === 'SkillToolDeletedEvent') return { status: 'absent' };
    return { status: 'linked', accessLevel: event.data.accessLevel, config: event.data.config };
  },
};
