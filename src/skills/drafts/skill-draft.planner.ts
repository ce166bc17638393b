import { v7 } from 'uuid';
import type { Command } from '../../eventsourcing/command.js';
import { Invalid, RuleBroken } from '../../eventsourcing/errors.js';
import type { Sql } from '../../eventsourcing/sql.js';
import { handle, receiptOf, UseCase, type Receipt, type Writer } from '../../platform/use-cases/use-case.js';
import { type NamedTool, toolsSeen } from '../../tools/public.js';
import { workflow } from '../../workflows/public.js';
import { draftedWords, mostDraftedTools } from './skill-draft.js';
import type { DraftBody } from './skill-draft.schemas.js';
import { refuseUnsafe } from '../skill-safety.js';
import { planLinks } from '../links/skill-tool.link.js';
import { skillWorkflow } from '../links/skill-workflow.link.js';
import { skill } from '../skill.record.js';
import type { Workflow } from '../../workflows/shared.js';
import { starterWorkflow } from './starter-workflow.js';

/** What a draft says beside its receipt. */
export interface DraftedSkill {
  readonly name: string;
  readonly active: boolean;
  readonly tools: readonly object[];
  /** Where one was asked for. */
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
    const drafted = draftedWords(tools);
    const { name = drafted.name, description = drafted.description } = body;
    const fields = { ...drafted, name, description };
    await refuseUnsafe(fields);
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
  decide: ({ skillId, fields, links, starter }, _body, { context: { hostId } }) => [
    skill.draft(hostId, skillId, fields),
    ...links,
    ...(starter ? starterCommands(hostId, skillId, starter) : []),
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

/** It is new under a name of its own, and calls only what the same write links. */
function starterCommands(hostId: string, skillId: string, { wfDefId, fields }: Starter): Command[] {
  const link = { skillId, wfDefId, workflowRole: 'primary', startMode: 'manual', config: {} } as const;
  return [
    workflow.create(hostId, wfDefId, fields, { heldBy: null }),
    skillWorkflow.put(hostId, link, { withoutTool: [], primaryHeldBy: null }),
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
  if (active.length > mostDraftedTools) {
    const detail = `The API version has ${String(active.length)} tools; a skill is drafted from ${String(mostDraftedTools)} at most. Name those that belong together in toolIds.`;
    throw new RuleBroken('too_many_tools', detail);
  }
  return active;
}

function oneOfBoth(): Invalid {
  const detail = 'Name either toolIds or apiVersionId.';
  return new Invalid('invalid_body', detail, [{ pointer: '', detail }]);
}
