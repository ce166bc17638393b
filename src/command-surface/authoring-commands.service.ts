import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { planPut } from '../agents/agent-skill.planner.js';
import type { AssignmentBody } from '../agents/agent-skill.schemas.js';
import type { Write } from '../eventsourcing/command.js';
import { WriteCommand } from '../eventsourcing/write-command.js';
import { CONFINEMENT, visibilityOf, type Confinement, type Visibility } from '../platform/auth/visibility.js';
import { receipt } from '../platform/http/replies.js';
import { refuseSecrets } from '../skills/skill-secrets.js';
import { planLink } from '../skills/skill-tool.planner.js';
import type { LinkBody } from '../skills/skill-tool.schemas.js';
import { planCreation } from '../skills/skill.planner.js';
import type { NewSkill } from '../skills/skill.schemas.js';
import type { CommandContext, CommandResult, Parameters } from './agent-command.js';

/** Writes skills, links and assignments: the same plans on the same bus as over HTTP. */
@Injectable()
export class AuthoringCommands {
  constructor(
    private readonly bus: CommandBus,
    @Inject(CONFINEMENT) private readonly confinement: Confinement,
  ) {}

  async draft({ format: _, ...body }: Parameters, context: CommandContext): Promise<CommandResult> {
    await refuseSecrets(body);
    const visibility = await this.visibilityOf(context);
    return this.write(context, (sql) => planCreation(sql, visibility, body as unknown as NewSkill));
  }

  async link(parameters: Parameters, context: CommandContext): Promise<CommandResult> {
    const { format: _, skillId, toolId, ...body } = parameters as Readonly<Record<string, string>>;
    await refuseSecrets(body);
    const visibility = await this.visibilityOf(context);
    const request = { caller: context.caller, visibility, skillId: skillId ?? '', toolId: toolId ?? '' };
    return this.write(context, (sql) => planLink(sql, request, body as unknown as LinkBody));
  }

  async assign(parameters: Parameters, context: CommandContext): Promise<CommandResult> {
    const { format: _, agentDefId, skillId, ...terms } = parameters as Readonly<Record<string, string>>;
    const visibility = await this.visibilityOf(context);
    const request = {
      caller: context.caller,
      visibility,
      agentDefId: agentDefId ?? '',
      skillId: skillId ?? '',
    };
    return this.write(context, (sql) => planPut(sql, request, terms as unknown as AssignmentBody));
  }

  private async write(
    { caller, correlationId }: CommandContext,
    plan: Write['plan'],
  ): Promise<CommandResult> {
    const context = { hostId: caller.hostId, actor: caller.actor, correlationId };
    const reply = await this.bus.execute(
      new WriteCommand({ context, mode: 'locked', plan, reply: receipt(200) }),
    );
    return { value: JSON.parse(reply.body) as object };
  }

  private async visibilityOf({ caller }: CommandContext): Promise<Visibility> {
    const confined = caller.agentDefId !== undefined;
    return visibilityOf(caller, confined ? await this.confinement.confinesOf(caller) : undefined);
  }
}
