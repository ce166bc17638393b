import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { PutAgentSkill } from '../agents/public.js';
import { canonicalJson } from '../kernel/canonical-json.js';
import {
  AGENT_SCOPES,
  visibilityOf,
  type AgentScopes,
  type Visibility,
} from '../platform/auth/visibility.js';
import { idempotencyOf, type WriteTerms } from '../platform/http/write-context.js';
import type { KeyedContext } from '../platform/idempotency/idempotency.js';
import type { Receipt, Writer } from '../platform/use-cases/use-case.js';
import { CreateSkill, PutSkillTool } from '../skills/public.js';
import type { CommandContext, CommandResult, Parameters } from './agent-command.js';

/** Writes skills, links and assignments by the use cases and on the terms of the HTTP routes. */
@Injectable()
export class AuthoringCommands {
  constructor(
    private readonly bus: CommandBus,
    @Inject(AGENT_SCOPES) private readonly agentScopes: AgentScopes,
  ) {}

  async draft(parameters: Parameters, asked: CommandContext): Promise<CommandResult> {
    const { writer, given } = await this.requestOf('draft_skill', parameters, asked);
    return resultOf(await this.bus.execute(new CreateSkill(writer, given as unknown as SkillInput)));
  }

  async link(parameters: Parameters, asked: CommandContext): Promise<CommandResult> {
    const { writer, given } = await this.requestOf('link_tool', parameters, asked);
    return resultOf(await this.bus.execute(new PutSkillTool(writer, given as unknown as LinkInput)));
  }

  async assign(parameters: Parameters, asked: CommandContext): Promise<CommandResult> {
    const { writer, given } = await this.requestOf('assign_skill', parameters, asked);
    const overwrites = writer.context.expectedVersion !== undefined;
    const input = { ...given, ...(!overwrites && { keepsTerms: true }) } as unknown as AssignmentInput;
    return resultOf(await this.bus.execute(new PutAgentSkill(writer, input)));
  }

  /** Separates the terms of a write from its parameters. */
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

  private async visibilityOf({ caller }: CommandContext): Promise<Visibility> {
    const confined = caller.agentDefId !== undefined;
    const within = confined ? await this.agentScopes.agentScopeOf(caller) : undefined;
    return visibilityOf(caller, within, 'write');
  }
}

type SkillInput = CreateSkill['input'];
type LinkInput = PutSkillTool['input'];
type AssignmentInput = PutAgentSkill['input'];

function resultOf({ created: _created, ...value }: Receipt): CommandResult {
  return { value };
}

function writeContextOf(
  { caller, correlationId }: CommandContext,
  { idempotencyKey: key, expectedVersion }: WriteTerms,
  intent: readonly [name: string, given: Parameters],
): KeyedContext {
  const made = [canonicalJson(intent), expectedVersion ?? null, caller.fingerprint];
  return {
    ...{ hostId: caller.hostId, actor: caller.actor, correlationId },
    ...(expectedVersion !== undefined && { expectedVersion }),
    ...(key !== undefined && { idempotency: idempotencyOf(caller, key, made) }),
  };
}
