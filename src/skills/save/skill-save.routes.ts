import { Post } from '@nestjs/common';
import type { JSONSchema } from 'json-schema-to-ts';
import { impactAnswer } from '../../endpoints/shared.js';
import { versionTag } from '../../platform/http/replies.js';
import { objectOf, receiptAnswer, receiptProperties, uuid } from '../../platform/http/schemas.js';
import { bodyOf, idField, patchOf } from '../../platform/records/fields.js';
import { writeRoute } from '../../platform/records/routes.js';
import { keptReplyOf } from '../../platform/use-cases/use-case.js';
import { selectionProperties } from '../../taxonomy/shared.js';
import { skillDependency } from '../links/skill-dependency.link.js';
import { skillToolFields } from '../links/skill-tool.rules.js';
import { newSkillExample, skillReceipt, toolExampleId } from '../skill.examples.js';
import { skillFields } from '../skill.fields.js';
import { SaveSkill } from './skill-save.planner.js';

const patch = patchOf(skillFields);

const body = {
  ...patch,
  properties: {
    skillId: { ...uuid, description: 'Of the skill that is changed. Left out, one is made.' },
    ...patch.properties,
    ...selectionProperties,
    tools: {
      type: 'array',
      maxItems: 500,
      items: bodyOf({ toolId: idField, ...skillToolFields }),
      description:
        'All tools of the skill, each link whole; the others are taken away. Left out, they stay. So do those that the token does not cover.',
    },
    dependencies: {
      type: 'array',
      maxItems: 100,
      items: bodyOf({ dependsOnSkillId: idField, ...skillDependency.fields }),
      description: 'All skills that it needs; the others are taken away. Left out, they stay.',
    },
    dryRun: {
      type: 'boolean',
      default: false,
      description: 'Whether to answer what the save would do, or be refused for, and write nothing.',
    },
  },
} as const satisfies JSONSchema;

const ids = { type: 'array', items: uuid } as const;
const linkChanges = (description: string) =>
  ({
    title: 'LinkChanges',
    description,
    ...objectOf({ added: ids, changed: ids, removed: ids }),
  }) as const;

const answer = {
  type: 'object',
  required: [
    ...[...receiptAnswer.required, 'created', 'tools', 'dependencies', 'classified', 'agents', 'dryRun'],
  ],
  properties: {
    ...receiptProperties,
    changed: {
      type: 'boolean',
      description: 'Whether anything is other than before, be it the skill or what belongs to it.',
    },
    created: { type: 'boolean' },
    tools: linkChanges(
      'Ids of the tools that were linked, whose link was changed, and that were taken away.',
    ),
    dependencies: linkChanges('The same of the skills that it needs.'),
    classified: { type: 'boolean', description: 'Whether its categories or tags are others than before.' },
    agents: {
      ...impactAnswer.properties.agents,
      description: 'Active agents that have the skill: what is saved reaches them.',
    },
    dryRun: { type: 'boolean' },
  },
} as const satisfies JSONSchema;

/** A skill saved with all that belongs to it. */
export const saveSkillRoute = writeRoute(
  [Post, 'skills/save'],
  {
    id: 'saveSkill',
    summary: 'Save a skill with its tools, dependencies, categories and tags',
    description:
      'All of it in one transaction, or nothing. The receipt and `If-Match` are about the skill itself. Refused as each write by itself ' +
      'is, and with `tool_not_found` and `skill_not_found` where a list names what is not there.',
    scope: 'catalog:write',
    creates: true,
    confined: 'refused',
    ...{ body, answer },
    example: {
      body: {
        ...newSkillExample,
        tools: [{ toolId: toolExampleId, accessLevel: 'read' }],
        dependencies: [],
      },
      answer: {
        ...{ ...skillReceipt, created: true },
        tools: { added: [toolExampleId], changed: [], removed: [] },
        dependencies: { added: [], changed: [], removed: [] },
        ...{ classified: false, agents: [], dryRun: false },
      },
    },
  },
  SaveSkill,
  (saved, { hostId = '' }) => {
    const isMade = saved.created && !saved.dryRun;
    const location = `/v1/hosts/${hostId}/skills/${saved.id}`;
    return (
      keptReplyOf(saved) ?? {
        status: isMade ? 201 : 200,
        headers: { etag: versionTag(saved.version), ...(isMade && { location }) },
        body: JSON.stringify(saved),
      }
    );
  },
);
