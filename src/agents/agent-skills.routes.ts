import { Body, Controller, Inject, Param, Patch, Post, Put } from '@nestjs/common';
import { DATABASE, type Database } from '../kernel/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { CallerOf, VisibleTo } from '../platform/http/parameters.js';
import { resultReply } from '../platform/http/replies.js';
import { objectOf, receiptAnswer, receiptsAnswer, uuid } from '../platform/http/schemas.js';
import { bodyOf, idField, patchOf, shownOf } from '../platform/records/fields.js';
import { type SharedRequest, SharedRoute, writeRoute } from '../platform/records/routes.js';
import { AssignSkills, checkAssignments, ReplaceSkills, type SkillSelection } from './agent-skill.batch.js';
import { agentSkill, ChangeAgentSkill } from './agent-skill.link.js';
import { agentSkillFields, assignmentProblems } from './agent-skill.rules.js';
import { assignmentExample, assignmentReceipt, batchReceipt, validationExample } from './agent.examples.js';

/** Skills of one batch at most, and of one agent whose skills are replaced as a whole. */
const MAX_SKILLS = 500;
const path = 'agents/:agentDefId/skills';

const skills = {
  type: 'array',
  maxItems: MAX_SKILLS,
  items: { title: 'Assignment', ...bodyOf({ skillId: idField, ...agentSkillFields }) },
} as const;
const selection = {
  type: 'object',
  additionalProperties: false,
  required: ['skills'],
  properties: { skills },
} as const;
const someSkills = { ...selection, properties: { skills: { ...skills, minItems: 1 } } } as const;

const batch = {
  scope: 'catalog:write',
  batch: true,
  answer: receiptsAnswer('AssignmentReceipt', { skillId: uuid }),
  example: { body: { skills: [assignmentExample] }, answer: batchReceipt },
} as const;

const validationAnswer = objectOf({
  items: {
    type: 'array',
    items: objectOf({
      skillId: uuid,
      ok: { type: 'boolean' },
      problems: {
        type: 'array',
        items: objectOf({
          code: { type: 'string', enum: assignmentProblems },
          message: { type: 'string' },
        }),
      },
    }),
  },
});

@Controller(`v1/hosts/:hostId/${path}/validate`)
class ValidationRoute extends SharedRoute {
  constructor(@Inject(DATABASE) private readonly database: Database) {
    super();
  }

  answerAnywhere({ writer: { caller, visibility }, params, body }: SharedRequest): Promise<object> {
    const { agentDefId = '' } = params;
    return this.validate(caller, visibility, agentDefId, body as Pick<SkillSelection, 'skills'>);
  }

  @Post()
  @Operation({
    id: 'validateAgentSkills',
    reads: true,
    summary: 'Check whether skills could be assigned',
    description: 'The checks of createAgentSkill without writing.',
    scope: 'catalog:read',
    body: someSkills,
    answer: validationAnswer,
    example: { body: { skills: [assignmentExample] }, answer: validationExample },
  })
  async validate(
    @CallerOf() caller: Caller,
    @VisibleTo() visibility: Visibility,
    @Param('agentDefId') agentDefId: string,
    @Body() wanted: Pick<SkillSelection, 'skills'>,
  ): Promise<object> {
    const sql = this.database.of(visibility.hostId);
    return { items: await checkAssignments(sql, { agentDefId, ...wanted }, { caller, visibility }) };
  }
}

/** Routes of an agent's skills beside those of every link. */
export const agentSkillsRoutes = [
  writeRoute(
    [Post, path],
    {
      id: 'createAgentSkill',
      summary: 'Assign skills to an agent',
      description:
        'All or none: where one can’t be assigned, the answer is 409 with every problem of every skill (`skill_not_found`, ' +
        '`skill_inactive`, `skill_without_active_tool`, `already_assigned` on other terms), its code being that of the ' +
        'first. What is assigned on equal terms stays as it is.',
      ...batch,
      body: someSkills,
      status: 201,
    },
    AssignSkills,
    (result) => ({ ...resultReply(result), status: 201 }),
  ),
  writeRoute(
    [Put, path],
    {
      id: 'replaceAgentSkills',
      summary: 'Replace the skills of an agent',
      description:
        'Afterwards the agent has just these. What stays as it is need not pass the rule of assignment; the rest is ' +
        'refused as by createAgentSkill. The answer has an item for each skill named and each taken away.',
      ...batch,
      body: selection,
    },
    ReplaceSkills,
    resultReply,
  ),
  writeRoute(
    [Patch, `${path}/:skillId`],
    {
      id: 'updateAgentSkill',
      summary: 'Change the terms of an assignment',
      description:
        'What is left out stays; a `config` is replaced as a whole. Refused with `skill_inactive` and `skill_without_active_tool`.',
      scope: 'catalog:write',
      params: shownOf(agentSkill.ends),
      body: patchOf(agentSkillFields),
      answer: receiptAnswer,
      example: { body: { priority: 20 }, answer: { ...assignmentReceipt, version: 2, position: 22 } },
    },
    ChangeAgentSkill,
  ),
  ValidationRoute,
];
