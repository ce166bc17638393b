import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { canonicalJson } from '../kernel/canonical-json.js';
import {
  AGENT_SCOPES,
  visibilityOf,
  type AgentScopes,
  type Visibility,
} from '../platform/auth/visibility.js';
import { idempotencyOf, type WriteTerms } from '../platform/http/write-context.js';
import type { KeyedContext } from '../platform/idempotency/idempotency.js';
import type { Receipt, UseCase, Writer } from '../platform/use-cases/use-case.js';
import type { CommandContext, CommandResult, CommandSpec, Parameters, Run } from './agent-command.js';

/** Carries out writes that are commands, by the use cases and on the terms of the HTTP routes. */
@Injectable()
export class CommandWrites {
  constructor(
    private readonly bus: CommandBus,
    @Inject(AGENT_SCOPES) private readonly agentScopes: AgentScopes,
  ) {}

  /** The way in which a use case is carried out as the command of this name, with its parameters as the input. */
  by(name: string, useCase: WriteCase, inputOf: (given: Parameters, writer: Writer) => object = same): Run {
    return async (parameters, asked) => {
      const { writer, given } = await this.requestOf({ name, writes: true }, parameters, asked);
      const input = inputOf(given, writer) as never;
      return resultOf(await this.bus.execute<UseCase<unknown>, Receipt>(new useCase(writer, input)));
    };
  }

  /** Separates the terms of a request from its parameters. */
  async requestOf(
    { name, writes }: Pick<CommandSpec, 'name' | 'writes'>,
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
    const visibility = await this.visibilityOf(asked, writes ? 'write' : 'read');
    return { writer: { context, caller, visibility }, given };
  }

  private async visibilityOf({ caller }: CommandContext, purpose: 'read' | 'write'): Promise<Visibility> {
    const confined = caller.agentDefId !== undefined;
    const within = confined ? await this.agentScopes.agentScopeOf(caller) : undefined;
    return visibilityOf(caller, within, purpose);
  }
}

/** The class of a use case, whichever its input. */
type WriteCase = new (writer: Writer, input: never) => UseCase<unknown>;

const same = (given: Parameters): Parameters => given;

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
