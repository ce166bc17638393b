import { v7 } from 'uuid';
import type { Command, Outcome } from '../eventsourcing/command.js';
import { Invalid, RuleBroken } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Writer } from '../platform/http/parameters.js';
import { receipt } from '../platform/http/replies.js';
import type { Reply } from '../platform/idempotency/kept-replies.js';
import { toolsSeen, type NamedTool } from '../tools/tool.lookup.js';
import { CreateWorkflow } from '../workflows/workflow.commands.js';
import { draftedWords, mostDraftedTools } from './skill-draft.js';
import type { DraftBody } from './skill-draft.schemas.js';
import { refuseUnsafe } from './skill-safety.js';
import { planLinks } from './skill-tool.link.js';
import { skillWorkflow } from './skill-workflow.link.js';
import { skill } from './skill.record.js';
import { starterWorkflow } from './starter-workflow.js';

/** One draft of a skill from tools: made under the lock, answered with what it links. */
export class DraftRequest {
  private tools: readonly NamedTool[] = [];
  private links: Awaited<ReturnType<typeof planLinks>> = [];
  private name = '';
  private workflow: object | undefined;

  constructor(
    private readonly writer: Pick<Writer, 'caller' | 'visibility'>,
    private readonly body: DraftBody,
  ) {
    if ((body.toolIds === undefined) === (body.apiVersionId === undefined)) throw oneOfBoth();
  }

  async plan(sql: Sql): Promise<Command[]> {
    const { visibility } = this.writer;
    this.tools = await this.wantedTools(sql);
    const drafted = draftedWords(this.tools);
    const { name = drafted.name, description = drafted.description } = this.body;
    const words = { ...drafted, name, description, version: '1.0.0', parentSkillId: null };
    await refuseUnsafe(words);
    this.name = name;
    const skillId = v7();
    const links = this.tools.map(({ toolId }) => ({ toolId, config: {} }));
    this.links = await planLinks(sql, this.writer, skillId, links);
    return [
      skill.draft(visibility.hostId, skillId, words),
      ...this.links,
      ...(this.body.starterWorkflow ? this.planWorkflow(skillId) : []),
    ];
  }

  /** It is new under a name of its own, and calls only what the same write links. */
  private planWorkflow(skillId: string): Command[] {
    const { hostId } = this.writer.visibility;
    const wfDefId = v7();
    const words = starterWorkflow(
      skillId,
      this.name,
      this.tools.map(({ name }) => name),
    );
    const terms = { startMode: 'manual', config: {} } as const;
    const link = { skillId, wfDefId, workflowRole: 'primary', ...terms } as const;
    const { namespace, name, version } = words;
    this.workflow = { wfDefId, namespace, name, version };
    return [
      new CreateWorkflow(hostId, wfDefId, { words, versionHeldBy: null }),
      skillWorkflow.put(hostId, link, { withoutTool: [], primaryHeldBy: null }),
    ];
  }

  reply(outcomes: readonly Outcome[], position: number): Reply {
    const names = new Map(this.tools.map(({ toolId, name }) => [toolId, name]));
    const tools = this.links.map(({ payload: { toolId, accessLevel } }) => ({
      ...{ toolId, name: names.get(toolId), accessLevel },
    }));
    const more = () => ({ name: this.name, active: false, tools, workflow: this.workflow });
    const location = ({ id }: Outcome) => `/v1/hosts/${this.writer.visibility.hostId}/skills/${id}`;
    return receipt(201, more, location)(outcomes, position);
  }

  /** Throws RuleBroken `tool_not_found` with all that are not there, `no_tools`, `too_many_tools`. */
  private async wantedTools(sql: Sql): Promise<readonly NamedTool[]> {
    const { toolIds, apiVersionId } = this.body;
    if (toolIds !== undefined) {
      const seen = await toolsSeen(sql, this.writer.visibility, { toolIds });
      const known = new Set(seen.map(({ toolId }) => toolId));
      const faults = toolIds.flatMap((toolId, at) =>
        known.has(toolId)
          ? []
          : [{ pointer: `/toolIds/${String(at)}`, detail: `There is no tool ${toolId}.` }],
      );
      if (faults.length === 0) return seen;
      throw new RuleBroken(
        'tool_not_found',
        'Not all of the tools exist, or the token does not cover them.',
        faults,
      );
    }
    const seen = await toolsSeen(sql, this.writer.visibility, { apiVersionId: String(apiVersionId) });
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
}

function oneOfBoth(): Invalid {
  const detail = 'Name either toolIds or apiVersionId.';
  return new Invalid('invalid_body', detail, [{ pointer: '', detail }]);
}
