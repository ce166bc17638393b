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
import { planLink } from '../skills/skill-tool.planner.js';
import type { LinkBody } from '../skills/skill-tool.schemas.js';
import { creationOf } from '../skills/skill.planner.js';
import type { NewSkill } from '../skills/skill.schemas.js';
import type { CommandContext, CommandResult, Parameters } from './agent-command.js';

/**
 * What is left of the parameters without how the write is made and told, to be planned for whoever sees this much.
 * `overwrites`: the caller names the version that is written over.
 */
type PlanOf = (
  given: Parameters,
  visibility: Visibility,
  overwrites: boolean,
) => Write['plan'] | Promise<Write['plan']>;

/** Writes skills, links and assignments: the same plans on the same bus as over HTTP, and on the same terms. */
@Injectable()
export class AuthoringCommands {
  constructor(
    private readonly bus: CommandBus,
    private readonly idempotency: Idempotency,
    @Inject(CONFINEMENT) private readonly confinement: Confinement,
  ) {}

  draft(parameters: Parameters, context: CommandContext): Promise<CommandResult> {
    return this.write('draft_skill', parameters, context, (body, visibility) => {
      return creationOf(visibility, body as unknown as NewSkill);
    });
  }

  link(parameters: Parameters, context: CommandContext): Promise<CommandResult> {
    return this.write('link_tool', parameters, context, (given, visibility) => {
      const { skillId = '', toolId = '', ...body } = given as Readonly<Record<string, string>>;
      const request = { caller: context.caller, visibility, skillId, toolId };
      return (sql) => planLink(sql, request, body as unknown as LinkBody);
    });
  }

  assign(parameters: Parameters, context: CommandContext): Promise<CommandResult> {
    return this.write('assign_skill', parameters, context, (given, visibility, overwrites) => {
      const { agentDefId = '', skillId = '', ...terms } = given as Readonly<Record<string, string>>;
      const request = { caller: context.caller, visibility, agentDefId, skillId };
      const body = terms as unknown as AssignmentBody;
      return (sql) => (overwrites ? planPut(sql, request, body) : planAssignment(sql, request, body));
    });
  }

  private async write(
    name: string,
    parameters: Parameters,
    context: CommandContext,
    planOf: PlanOf,
  ): Promise<CommandResult> {
    const {
      format: _format,
      expectedVersion,
      idempotencyKey,
      ...given
    } = parameters as WriteTerms & Parameters;
    const made = writeContextOf(
      context,
      {
        ...context.terms,
        ...(expectedVersion !== undefined && { expectedVersion }),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      },
      [name, given],
    );
    const overwrites = made.expectedVersion !== undefined;
    const plan = await planOf(given, await this.visibilityOf(context), overwrites);
    const reply = await this.once(made, () =>
      this.bus.execute(new WriteCommand({ context: made, mode: 'locked', plan, reply: receipt(200) })),
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
