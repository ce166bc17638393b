import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { listQuery, recordMembers, recordProperties, uuid } from '../platform/http/schemas.js';

const required = {
  type: 'boolean',
  description: 'True: where the agent is not given the other skill, this one is withheld from it.',
} as const;

export const dependencyBody = {
  type: 'object',
  additionalProperties: false,
  required: ['required'],
  properties: { required },
} as const satisfies JSONSchema;
export type DependencyBody = FromSchema<typeof dependencyBody>;

export const skillDependencyListQuery = listQuery;
export type SkillDependencyListQuery = FromSchema<typeof skillDependencyListQuery>;

export const skillDependencyAnswer = {
  type: 'object',
  required: ['skillId', 'dependsOnSkillId', 'skillName', 'skillActive', 'required', ...recordMembers],
  properties: {
    skillId: uuid,
    dependsOnSkillId: uuid,
    skillName: { type: 'string', description: 'Of the skill that it depends on.' },
    skillActive: { type: 'boolean', description: 'Whether that skill is active.' },
    required,
    ...recordProperties,
    active: { type: 'boolean', description: 'False: the dependency was taken away.' },
  },
} as const satisfies JSONSchema;
export type SkillDependencyAnswer = FromSchema<typeof skillDependencyAnswer>;
