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
import { skill } from './skill.record.js';

export const skillSlice: Slice = {
  name: 'skills',
  events: [
    ...skill.events,
    ...skillTool.events,
    ...skillDependency.events,
    skillFolderReplaced,
    ...skillWorkflow.events,
  ],
  aggregates: [
    aggregate(skill.decider, []),
    aggregate(skillTool.decider, []),
    aggregate(skillDependency.decider, []),
    aggregate(skillFolderDecider, [ReplaceSkillFolder]),
    aggregate(skillWorkflow.decider, []),
  ],
  projections: [
    skill.projection,
    skillTool.projection,
    skillDependency.projection,
    skillFolderProjection,
    skillWorkflowProjection,
  ],
  reactions: [recheckWorkflows],
  uniqueRules: { ...skill.uniqueRules, ...skillWorkflowUniqueRules },
  views: ['skill_dependency_read', 'skill_read', 'skill_tool_read', 'skill_workflow_read'],
};
