import { aggregate, type Slice } from '../eventsourcing/slice.js';
import { skillDependency } from './skill-dependency.link.js';
import { ReplaceSkillFolder } from './skill-folder.commands.js';
import { skillFolderDecider } from './skill-folder.decider.js';
import { skillFolderReplaced } from './skill-folder.events.js';
import { skillFolderProjection } from './skill-folders.projection.js';
import { skillTool } from './skill-tool.link.js';
import {
  recheckWorkflows,
  skillWorkflow,
  skillWorkflowProjection,
  skillWorkflowUniqueRules,
} from './skill-workflow.link.js';
import { ActivateSkill, CreateSkill, DeactivateSkill, DraftSkill, UpdateSkill } from './skill.commands.js';
import { skillDecider } from './skill.decider.js';
import {
  skillActivated,
  skillCreated,
  skillDeactivated,
  skillDrafted,
  skillUpdated,
} from './skill.events.js';
import { skillProjection, skillUniqueRules } from './skills.projection.js';

export const skillSlice: Slice = {
  name: 'skills',
  events: [
    skillCreated,
    skillDrafted,
    skillUpdated,
    skillActivated,
    skillDeactivated,
    ...skillTool.events,
    ...skillDependency.events,
    skillFolderReplaced,
    ...skillWorkflow.events,
  ],
  aggregates: [
    aggregate(skillDecider, [CreateSkill, DraftSkill, UpdateSkill, ActivateSkill, DeactivateSkill]),
    aggregate(skillTool.decider, []),
    aggregate(skillDependency.decider, []),
    aggregate(skillFolderDecider, [ReplaceSkillFolder]),
    aggregate(skillWorkflow.decider, []),
  ],
  projections: [
    skillProjection,
    skillTool.projection,
    skillDependency.projection,
    skillFolderProjection,
    skillWorkflowProjection,
  ],
  reactions: [recheckWorkflows],
  uniqueRules: { ...skillUniqueRules, ...skillWorkflowUniqueRules },
};
