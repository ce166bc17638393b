import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { objectOf, receiptAnswer, receiptProperties, uuid } from '../../platform/http/schemas.js';
import { MAX_DRAFTED_TOOLS, draftedFields, starterWorkflow } from './skill-draft.js';
import { accessLevels } from '../links/skill-tool.rules.js';
import { skillText } from '../skill.fields.js';
import { v7 } from 'uuid';
import type { Command } from '../../kernel/command.js';
import type { Caller } from '../../platform/auth/caller.js';
import { Invalid, RuleBroken } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import { handle, receiptOf, UseCase, type Receipt, type Writer } from '../../platform/use-cases/use-case.js';
import { type NamedTool, toolsSeen } from '../../tools/public.js';
import { workflow } from '../../workflows/public.js';
import { refuseUnsafe } from '../skill-safety.js';
import { planLinks } from '../links/skill-tool.link.js';
import { skillWorkflow } from '../links/skill-workflow.link.js';
import { skill } from '../skill.record.js';
import type { Workflow } from '../../workflows/shared.js';

export const draftBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    toolIds: { type: 'array', minItems: 1, maxItems: MAX_DRAFTED_TOOLS, uniqueItems: true, items: uuid },
    apiVersionId: { ...uuid, description: 'In place of `toolIds`: all active tools of this API version.' },
    name: { ...skillText.name, description: 'Left out, it is that of the API, or of the tools.' },
    description: { type: 'string', maxLength: 4000 },
    starterWorkflow: {
      type: 'boolean',
      default: false,
      description: 'Also drafts a workflow that calls each tool once, and links it as the primary one.',
    },
  },
} as const satisfies JSONSchema;
export type DraftBody = FromSchema<typeof draftBody>;

const draftedWorkflow = {
  description: 'The draft of a workflow, where one was asked for.',
  ...objectOf({
    wfDefId: uuid,
    namespace: { type: 'string' },
    name: { type: 'string' },
    version: { type: 'string' },
  }),
} as const;

export const draftAnswer = {
  type: 'object',
  required: [...receiptAnswer.required, 'name', 'active', 'tools'],
  properties: {
    ...receiptProperties,
    name: { type: 'string' },
    active: { type: 'boolean', description: 'False: activate it when it has been looked through.' },
    workflow: draftedWorkflow,
    tools: {
      type: 'array',
      items: objectOf({
        toolId: uuid,
        name: { type: 'string' },
        accessLevel: { type: 'string', enum: accessLevels },
      }),
    },
  },
} as const satisfies JSONSchema;

/** The answer to a draft, beside its receipt. */
export interface DraftedSkill {
  readonly name: string;
  readonly active: boolean;
  readonly tools: readonly object[];
  /** Present where a starter workflow was asked for. */
  readonly workflow?: object;
}

/** Makes an inactive skill that links tools and lists them. */
export class DraftSkill extends UseCase<DraftBody, Receipt & DraftedSkill> {}

export const draftSkillHandler = handle(DraftSkill, {
  check({ toolIds, apiVersionId }) {
    if ((toolIds === undefined) === (apiVersionId === undefined)) throw oneOfBoth();
  },
  async load(sql, body, writer) {
    const tools = await wantedTools(sql, body, writer);
    const drafted = draftedFields(tools);
    const { name = drafted.name, description = drafted.description } = body;
    const fields = { ...drafted, name, description };
    await refuseUnsafe(fields, writer);
    const skillId = v7();
    const wanted = tools.map(({ toolId }) => ({ toolId, config: {} }));
    const links = await planLinks(sql, writer, skillId, wanted);
    return {
      tools,
      skillId,
      fields,
      links,
      starter: body.starterWorkflow && starterOf(skillId, name, tools),
    };
  },
  decide: ({ skillId, fields, links, starter }, _body, { context: { hostId }, caller }) => [
    skill.draft(hostId, skillId, fields),
    ...links,
    ...(starter ? starterCommands(caller, skillId, starter) : []),
  ],
  result(outcomes, position, { tools, fields: { name }, links, starter }) {
    const names = new Map(tools.map((tool) => [tool.toolId, tool.name]));
    const linked = links.map(({ payload: { toolId, accessLevel } }) => ({
      ...{ toolId, name: names.get(toolId), accessLevel },
    }));
    return {
      ...receiptOf(outcomes, position),
      ...{ name, active: false, tools: linked },
      ...(starter && { workflow: shownOf(starter) }),
    };
  },
});

interface Starter {
  readonly wfDefId: string;
  readonly fields: Workflow;
}

function starterOf(skillId: string, name: string, tools: readonly NamedTool[]): Starter {
  const names = tools.map((tool) => tool.name);
  return { wfDefId: v7(), fields: starterWorkflow(skillId, name, names) };
}

/** Needs no facts: the name is new, and the workflow calls only tools that the same write links. */
function starterCommands(caller: Caller, skillId: string, { wfDefId, fields }: Starter): Command[] {
  const { hostId } = caller;
  const link = { skillId, wfDefId, workflowRole: 'primary', startMode: 'manual', config: {} } as const;
  return [
    workflow.create(hostId, wfDefId, fields, { heldBy: null }),
    skillWorkflow.put(hostId, link, { caller, withoutTool: [], primaryHeldBy: null }),
  ];
}

function shownOf({ wfDefId, fields: { namespace, name, version } }: Starter): object {
  return { wfDefId, namespace, name, version };
}

/** Throws RuleBroken `tool_not_found` with all that are not there, `no_tools`, `too_many_tools`. */
async function wantedTools(
  sql: Sql,
  { toolIds, apiVersionId }: DraftBody,
  { visibility }: Writer,
): Promise<readonly NamedTool[]> {
  if (toolIds !== undefined) {
    const seen = await toolsSeen(sql, visibility, { toolIds });
    const known = new Set(seen.map(({ toolId }) => toolId));
    const faults = toolIds.flatMap((toolId, at) =>
      known.has(toolId) ? [] : [{ pointer: `/toolIds/${String(at)}`, detail: `There is no tool ${toolId}.` }],
    );
    if (faults.length === 0) return seen;
    throw new RuleBroken(
      'tool_not_found',
      'Not all of the tools exist, or the token does not cover them.',
      faults,
    );
  }
  const seen = await toolsSeen(sql, visibility, { apiVersionId: String(apiVersionId) });
  const active = seen.filter((tool) => tool.active);
  if (active.length === 0) {
    const detail = `There is no active tool of API version ${String(apiVersionId)} here. Publish its endpoints first.`;
    throw new RuleBroken('no_tools', detail);
  }
  if (active.length > MAX_DRAFTED_TOOLS) {
    const detail = `The API version has ${String(active.length)} tools; a skill is drafted from ${String(MAX_DRAFTED_TOOLS)} at most. Name those that belong together in toolIds.`;
    throw new RuleBroken('too_many_tools', detail);
  }
  return active;
}

function oneOfBoth(): Invalid {
  const detail = 'Name either toolIds or apiVersionId.';
  return new Invalid('invalid_body', detail, [{ pointer: '', detail }]);
}
