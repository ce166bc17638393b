import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { planAssignment, planPut } from '../agents/agent-skill.planner.js';
import type { AssignmentBody } from '../agents/agent-skill.schemas.js';
import { canonicalJson } from '../eventsourcing/canonical-json.js';
import type { Reply, Write, WriteContext } from '../eventsourcing/command.js';
import { Idempotency } from '../eventsourcing/idempotency.js';
import { WriteCommand } from '../eventsourcing/write-command.js';
import { CONFINEMENT, visibilityOf, type Confinement, type Visibility } from '../platform/auth/visibility.js';
import { receipt } from '../platform/http/replies.js';
import { idempotencyOf, type WriteTerms } from '../platform/http/write-context.js';
import type { Receipt, Writer } from '../platform/use-cases/use-case.js';
import { PutSkillTool } from '../skills/skill-tool.link.js';
import { creationOf } from '../skills/skill.planner.js';
import type { NewSkill } from '../skills/skill.schemas.js';
import type { CommandContext, CommandResult, Parameters } from './agent-command.js';

/** Writes skills, links and assignments: the same on the same bus as over HTTP, and on the same terms. */
@Injectable()
export class AuthoringCommands {
  constructor(
    private readonly bus: CommandBus,
    private readonly idempotency: Idempotency,
    @Inject(CONFINEMENT) private readonly confinement: Confinement,
  ) {}

  async draft(parameters: Parameters, asked: CommandContext): Promise<CommandResult> {
    const { writer, given } = await this.requestOf('draft_skill', parameters, asked);
    const plan = await creationOf(writer.visibility, given as unknown as NewSkill);
    return this.write(writer, plan);
  }

  async link(parameters: Parameters, asked: CommandContext): Promise<CommandResult> {
    const { writer, given } = await this.requestOf('link_tool', parameters, asked);
    return resultOf(await this.bus.execute(new PutSkillTool(writer, given as unknown as LinkInput)));
  }

  async assign(parameters: Parameters, asked: CommandContext): Promise<CommandResult> {
    const { writer, given } = await this.requestOf('assign_skill', parameters, asked);
    const { agentDefId = '', skillId = '', ...terms } = given as Readonly<Record<string, string>>;
    const request = { ...writer, agentDefId, skillId };
    const body = terms as unknown as AssignmentBody;
    const overwrites = writer.context.expectedVersion !== undefined;
    return this.write(writer, (sql) =>
      overwrites ? planPut(sql, request, body) : planAssignment(sql, request, body),
    );
  }

  /** Who asks for the write and on what terms, and what is left of the parameters without those. */
  private async requestOf(
    name: string,
    parameters: Parameters,
    asked: CommandContext,
  ): Promise<{ readonly writer: Writer; readonly given: Parameters }> {
    const {
      format: _format,
      expectedVersion,
      idempotencyKey,
      ...given
    } = parameters as WriteTerms & Parameters;
    const terms = {
      ...asked.terms,
      ...(expectedVersion !== undefined && { expectedVersion }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    };
    const context = writeContextOf(asked, terms, [name, given]);
    const { caller } = asked;
    return { writer: { context, caller, visibility: await this.visibilityOf(asked) }, given };
  }

  private async write({ context }: Writer, plan: Write['plan']): Promise<CommandResult> {
    const reply = await this.once(context, () =>
      this.bus.execute(new WriteCommand({ context, mode: 'locked', plan, reply: receipt(200) })),
    );
    return { value: JSON.parse(reply.body) as object };
  }

  /** What was answered under the key before is the answer. */
  private async once({ hostId, idempotency }: WriteContext, write: () => Promise<Reply>): Promise<Reply> {
    if (idempotency === undefined) return write();
    const kept = await this.idempotency.begin(hostId, idempotency);
    try {
      return kept ?? (await write());
    } finally {
      this.idempotency.end(hostId, idempotency);
    }
  }

  private async visibilityOf({ caller }: CommandContext): Promise<Visibility> {
    const confined = caller.agentDefId !== undefined;
    const within = confined ? await this.confinement.confinesOf(caller) : undefined;
    return visibilityOf(caller, within, 'write');
  }
}

type LinkInput = PutSkillTool['input'];

function resultOf({ created: _created, ...value }: Receipt): CommandResult {
  return { value };
}

function writeContextOf(
  { caller, correlationId }: CommandContext,
  { idempotencyKey: key, expectedVersion }: WriteTerms,
  intent: readonly [name: string, given: Parameters],
): WriteContext {
  const made = [canonicalJson(intent), expectedVersion ?? null, caller.fingerprint];
  return {
    ...{ hostId: caller.hostId, actor: caller.actor, correlationId },
    ...(expectedVersion !== undefined && { expectedVersion }),
    ...(key !== undefined && { idempotency: idempotencyOf(caller, key, made) }),
  };
}
