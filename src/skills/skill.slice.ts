import { aggregate, type Slice } from '../eventsourcing/slice.js';
import { skillDependencyProjection } from './skill-dependencies.projection.js';
import { DeleteDependency, PutDependency } from './skill-dependency.commands.js';
import { skillDependencyDecider } from './skill-dependency.decider.js';
import {
  skillDependencyCreated,
  skillDependencyDeleted,
  skillDependencyUpdated,
} from './skill-dependency.events.js';
import { ReplaceSkillFolder } from './skill-folder.commands.js';
import { skillFolderDecider } from './skill-folder.decider.js';
import { skillFolderReplaced } from './skill-folder.events.js';
import { skillFolderProjection } from './skill-folders.projection.js';
import { LinkTool, UnlinkTool } from './skill-tool.commands.js';
import { skillToolDecider } from './skill-tool.decider.js';
import { skillToolCreated, skillToolDeleted, skillToolUpdated } from './skill-tool.events.js';
import { skillToolProjection } from './skill-tools.projection.js';
import { LinkWorkflow, RecheckWorkflow, UnlinkWorkflow } from './skill-workflow.commands.js';
import { skillWorkflowDecider } from './skill-workflow.decider.js';
import { skillWorkflowCreated, skillWorkflowDeleted, skillWorkflowUpdated } from './skill-workflow.events.js';
import { recheckWorkflows } from './skill-workflow.reaction.js';
import { skillWorkflowProjection, skillWorkflowUniqueRules } from './skill-workflows.projection.js';
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
    skillToolCreated,
    skillToolUpdated,
    skillToolDeleted,
    skillDependencyCreated,
    skillDependencyUpdated,
    skillDependencyDeleted,
    skillFolderReplaced,
    skillWorkflowCreated,
    skillWorkflowUpdated,
    skillWorkflowDeleted,
  ],
  aggregates: [
    aggregate(skillDecider, [CreateSkill, DraftSkill, UpdateSkill, ActivateSkill, DeactivateSkill]),
    aggregate(skillToolDecider, [LinkTool, UnlinkTool]),
    aggregate(skillDependencyDecider, [PutDependency, DeleteDependency]),
    aggregate(skillFolderDecider, [ReplaceSkillFolder]),
    aggregate(skillWorkflowDecider, [LinkWorkflow, UnlinkWorkflow, RecheckWorkflow]),
  ],
  projections: [
    skillProjection,
    skillToolProjection,
    skillDependencyProjection,
    skillFolderProjection,
    skillWorkflowProjection,
  ],
  reactions: [recheckWorkflows],
  uniqueRules: { ...skillUniqueRules, ...skillWorkflowUniqueRules },
};
