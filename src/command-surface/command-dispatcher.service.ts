import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../platform/auth/caller.js';
import {
  type AgentCommand,
  agentOf,
  type AnswerFormat,
  type CommandContext,
  type CommandInterceptor,
  type CommandResult,
  INTERCEPTORS,
  mayUse,
  type Parameters,
  parametersOf,
} from './agent-command.js';
import { CatalogCommands } from './catalog-commands.service.js';
import { VersionCommands } from './version-commands.service.js';
import { GraphCommands } from './graph-commands.service.js';
import { RoutedCommands } from './routed-commands.service.js';
import { Invalid, NotFound, RuleBroken } from '../kernel/errors.js';
import { toonText } from '../graph/shared.js';
import { checkNamed, namedPlaces, refuseNarrowed } from '../platform/auth/admission.js';
import { requireScope } from '../platform/auth/claims.js';
import { Problem } from '../platform/http/problem.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { jsonValidator, type Validator } from '../platform/validation/validator.js';

/** Every command, in the order in which they are listed. */
@Injectable()
export class CommandRegistry {
  readonly commands: readonly AgentCommand[];
  private readonly byName: ReadonlyMap<string, AgentCommand>;

  constructor(
    catalog: CatalogCommands,
    versions: VersionCommands,
    graph: GraphCommands,
    routed: RoutedCommands,
  ) {
    this.commands = [...catalog.commands, ...versions.commands, ...graph.commands, ...routed.commands];
    this.byName = new Map(this.commands.map((command) => [command.name, command]));
  }

  find(name: string): AgentCommand | undefined {
    return this.byName.get(name);
  }

  /** The commands that a caller may use; no other is listed to them. */
  usableBy(caller: Caller): readonly AgentCommand[] {
    return this.commands.filter((command) => mayUse(caller, command));
  }
}

/** Carries out direct commands, and refuses intercepted ones that no interceptor took. */
@Injectable()
export class CommandExecutor {
  /** Throws RuleBroken `failed_precondition` for an intercepted command. */
  async execute(
    command: AgentCommand,
    parameters: Parameters,
    context: CommandContext,
  ): Promise<CommandResult> {
    if (command.run === undefined || command.execution === 'intercepted') {
      throw new RuleBroken(
        'failed_precondition',
        `FAILED_PRECONDITION: ${command.name} is carried out in front of the executor, where nobody took it. ` +
          `Ask ${command.route ?? `POST /v1/hosts/{hostId}/agent/commands/${command.name}`} instead.`,
      );
    }
    return command.run(parameters, context);
  }
}

/** Result of a command: a value with its text for models, or lines of NDJSON. */
type Dispatched =
  { readonly value: object; readonly text: string } | { readonly stream: AsyncIterable<string> };

/** Checks a command and hands it to the interceptors, then to the executor. */
@Injectable()
export class CommandDispatcher {
  private readonly checks: ReadonlyMap<string, Validator>;
  private readonly named: ReadonlyMap<string, ReturnType<typeof namedPlaces>>;
  private readonly durations;

  constructor(
    private readonly registry: CommandRegistry,
    private readonly executor: CommandExecutor,
    @Inject(INTERCEPTORS) private readonly interceptors: readonly CommandInterceptor[],
    metrics: Metrics,
  ) {
    this.checks = new Map(
      registry.commands.map((command) => [command.name, jsonValidator(parametersOf(command))]),
    );
    this.named = new Map(
      registry.commands.map((command) => [command.name, namedPlaces(parametersOf(command))]),
    );
    this.durations = metrics.histogram('catalog_agent_command_seconds', 'Time of agent commands, by path.', [
      'command',
      'path',
      'outcome',
    ]);
  }

  /**
   * Throws NotFound for an unknown command, Problem 403 for one that the token may not use, Invalid
   * `invalid_parameters` with every fault, and what the command itself throws.
   *
   * @param parameters as they were sent; defaults are filled in
   * @param context `format`: where the parameters name none
   */
  async dispatch(name: string, parameters: Parameters, context: CommandContext): Promise<Dispatched> {
    const command = this.registry.find(name);
    if (command === undefined) throw new NotFound('command', name.slice(0, 64));
    requireScope(context.caller, ...command.scope);
    if (command.confined === 'refused') refuseNarrowed(context.caller);
    this.check(command, parameters);
    checkNamed(context.caller, this.named.get(name) ?? namedPlaces(undefined), parameters);
    requireAgent(command, parameters, context);
    const format = (parameters['format'] ?? context.format) as AnswerFormat;
    const labels = { command: name, path: command.execution };
    const end = this.durations.startTimer(labels);
    try {
      const dispatched = await this.carryOut(command, parameters, { ...context, format });
      if ('stream' in dispatched) return { stream: measured(dispatched.stream, end) };
      end({ outcome: 'done' });
      return dispatched;
    } catch (error) {
      end({ outcome: 'failed' });
      throw error;
    }
  }

  private async carryOut(
    command: AgentCommand,
    parameters: Parameters,
    context: CommandContext,
  ): Promise<Dispatched> {
    for (const interceptor of this.interceptors) {
      const interception = await interceptor.intercept(command, parameters, context);
      if (!interception.handled) continue;
      if ('stream' in interception) return { stream: interception.stream };
      return dispatchedOf(interception.result);
    }
    return dispatchedOf(await this.executor.execute(command, parameters, context));
  }

  private check(command: AgentCommand, parameters: Parameters): void {
    const faults = this.checks.get(command.name)?.(parameters) ?? [];
    if (faults.length === 0) return;
    const [first] = faults;
    throw new Invalid(
      'invalid_parameters',
      `${command.name} can’t take these parameters: ${first?.pointer ?? ''} ${first?.detail ?? ''}.`,
      faults,
    );
  }
}

function dispatchedOf({ value, text = toonText(value) }: CommandResult): Dispatched {
  return { value, text };
}

/** Counts a stream as done after its last line, and as abandoned where the reader stops before. */
async function* measured(
  stream: AsyncIterable<string>,
  end: (labels: { readonly outcome: string }) => void,
): AsyncIterable<string> {
  let outcome = 'left';
  try {
    for await (const line of stream) yield line;
    outcome = 'done';
  } catch (error) {
    outcome = 'failed';
    throw error;
  } finally {
    end({ outcome });
  }
}

/** Demands an agent from tokens that may not browse the host. */
function requireAgent(command: AgentCommand, parameters: Parameters, context: CommandContext): void {
  const { scopes } = context.caller;
  const browses = (['catalog:read', 'catalog:write', 'catalog:admin'] as const).some((scope) =>
    scopes.has(scope),
  );
  if (!command.writes && !browses && agentOf(parameters, context) === undefined) {
    throw new Problem(400, 'agent_required', 'Name the agent in agentDefId: this token has no agent_def_id.');
  }
}
