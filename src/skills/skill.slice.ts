import { aggregate, type Slice } from '../eventsourcing/slice.js';
import { LinkTool, UnlinkTool } from './skill-tool.commands.js';
import { skillToolDecider } from './skill-tool.decider.js';
import { skillToolCreated, skillToolDeleted, skillToolUpdated } from './skill-tool.events.js';
import { skillToolProjection } from './skill-tools.projection.js';
import { ActivateSkill, CreateSkill, DeactivateSkill, UpdateSkill } from './skill.commands.js';
import { skillDecider } from './skill.decider.js';
import { skillActivated, skillCreated, skillDeactivated, skillUpdated } from './skill.events.js';
import { skillProjection, skillUniqueRules } from './skills.projection.js';

export const skillSlice: Slice = {
  name: 'skills',
  events: [
    skillCreated,
    skillUpdated,
    skillActivated,
    skillDeactivated,
    skillToolCreated,
    skillToolUpdated,
    skillToolDeleted,
  ],
  aggregates: [
    aggregate(skillDecider, [CreateSkill, UpdateSkill, ActivateSkill, DeactivateSkill]),
    aggregate(skillToolDecider, [LinkTool, UnlinkTool]),
  ],
  projections: [skillProjection, skillToolProjection],
  uniqueRules: skillUniqueRules,
};
