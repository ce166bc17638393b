import { aggregate, sliceOf } from '../kernel/slice.js';
import { keepLinksToTheirMajor } from './links/kept-majors.reaction.js';
import { skillDependency } from './links/skill-dependency.link.js';
import {
  ReplaceSkillFolder,
  skillFolderDecider,
  skillFolderReplaced,
  skillFolderProjection,
} from './documents/skill-folder.record.js';
import { skillTool } from './links/skill-tool.link.js';
import {
  recheckWorkflows,
  skillWorkflow,
  skillWorkflowProjection,
  skillWorkflowUniqueRules,
} from './links/skill-workflow.link.js';
import { skill } from './skill.record.js';

const declared = [
  skill,
  skillTool,
  skillDependency,
  { ...skillWorkflow, projection: skillWorkflowProjection, uniqueRules: skillWorkflowUniqueRules },
];

export const skillSlice = sliceOf('skills', declared, {
  events: [skillFolderReplaced],
  aggregates: [aggregate(skillFolderDecider, [ReplaceSkillFolder])],
  projections: [skillFolderProjection],
  views: [
    'skill_dependency_read',
    'skill_read',
    'skill_tool_read',
    'skill_tool_version_read',
    'skill_workflow_read',
  ],
  reactions: [recheckWorkflows, keepLinksToTheirMajor],
});
