import { CommandHandler, Command as NestCommand, type ICommandHandler } from '@nestjs/cqrs';
import type { Abstract, Type } from '@nestjs/common';
import { CommandEngine } from '../../eventsourcing/command-engine.js';
import type { Command, Outcome } from '../../eventsourcing/command.js';
import { Idempotency, type KeyedContext } from '../idempotency/idempotency.js';
import { keepReply, type Reply } from '../idempotency/kept-replies.js';
import type { Sql } from '../../eventsourcing/sql.js';
import type { Caller } from '../auth/caller.js';
import type { Visibility } from '../auth/visibility.js';
import { injected, type ProvidersOf } from './injected.js';

/** Who writes, as the token says, and on what terms: expected version, idempotency key, correlation. */
export interface Writer {
  readonly context: KeyedContext;
  readonly caller: Caller;
  readonly visibility: Visibility;
}

/** What became of one record. */
export interface Receipt {
  readonly id: string;
  /** Version of the record after the write. */
  readonly version: number;
  /** Position in the host's log of the write's last event; of the record's last where nothing changed. */
  readonly position: number;
  readonly changed: boolean;
  /** Whether the record was not there before. */
  readonly created: boolean;
}

/**
 * What somebody wants done, the same class from every door: `commandBus.execute(new PutSkillTool(writer, input))`.
 * {@link handle} declares how.
 */
export abstract class UseCase<Input, Result extends object = Receipt> extends NestCommand<Result> {
  constructor(
    readonly writer: Writer,
    readonly input: Input,
  ) {
    super();
  }
}

/** How a use case is carried out, in the order of the members. Each throws the kernel's errors to refuse. */
export interface Handling<Input, Facts, Result, Needs extends readonly unknown[] = []> {
  /** Refuses by the input alone: secrets, unsafe text, what takes long. */
  check?(input: Input, writer: Writer): void | Promise<void>;
  /** Reads what the decision must know, under the lock of the host's head: nothing that it reads can be raced. */
  load(sql: Sql, input: Input, writer: Writer, ...needs: Needs): Promise<Facts>;
  /** The commands that do it, all or none; no I/O. */
  decide(facts: Facts, input: Input, writer: Writer): readonly Command[];
  /** What the doors are given and keep for replays; {@link receiptOf} unless said otherwise. */
  result?(outcomes: readonly Outcome[], position: number, facts: Facts): Result;
}

/** What of a use case is done before the lock, with what it needs: `load` is given that in place of the needs. */
export interface Preparing<Input, Prepared, Needs extends readonly unknown[] = []> {
  /** Asks what lies outside of the database, or takes long. */
  prepare(input: Input, writer: Writer, ...needs: Needs): Promise<Prepared>;
}

/** The receipt of the first command's record. */
export function receiptOf(outcomes: readonly Outcome[], position: number): Receipt {
  const [first] = outcomes;
  if (first === undefined) throw new Error('A receipt needs the outcome of at least one command.');
  const changed = outcomes.some((outcome) => outcome.changed);
  return {
    id: first.id,
    version: first.version,
    position: changed ? position : first.position,
    changed,
    created: first.before === null && first.after !== null,
  };
}

/** What became of several records, each with what tells them apart. */
export interface Receipts<More extends object> {
  readonly items: readonly (Omit<Receipt, 'created'> & More)[];
  /** Of the write's last event. */
  readonly position: number;
}

/** The receipts of all commands' records, each with what `more` says of it. */
export function receiptsOf<More extends object>(
  more: (outcome: Outcome) => More,
): (outcomes: readonly Outcome[], position: number) => Receipts<More> {
  return (outcomes, position) => ({
    items: outcomes.map((outcome) => ({
      ...{ id: outcome.id, version: outcome.version },
      ...{ position: outcome.position, changed: outcome.changed },
      ...more(outcome),
    })),
    position,
  });
}

/** Tells a kept result from the answer of an HTTP route, which is what version 0.1.0 kept. */
const resultHeaders: Reply['headers'] = { kept: 'result' };
const keptAnswers = new WeakMap<object, Reply>();

/** The answer that version 0.1.0 kept under the key of this result, to be given again as it was. */
export function keptAnswerOf(result: object): Reply | undefined {
  return keptAnswers.get(result);
}

function replayed(kept: Reply): object {
  const result = JSON.parse(kept.body) as object;
  if (kept.headers['kept'] === resultHeaders['kept']) return result;
  const receipt = { ...result, created: kept.status === 201 };
  keptAnswers.set(receipt, kept);
  return receipt;
}

type ResultOf<Facts, Result> = (outcomes: readonly Outcome[], position: number, facts: Facts) => Result;

/** The handler of a use case, a provider of its slice's module. */
export interface HandlerClass {
  readonly useCase: Type<UseCase<unknown, object>>;
  new (
    engine: CommandEngine,
    idempotency: Idempotency,
    ...needs: readonly unknown[]
  ): ICommandHandler<UseCase<unknown, object>>;
}

/** Declares the one handler of a use case. `needs` are given to what loads its facts, or prepares that. */
export function handle<Input, Facts, Result extends object, const Needs extends readonly unknown[] = []>(
  useCase: Type<UseCase<Input, Result>>,
  handling: Handling<NoInfer<Input>, Facts, Result, Needs>,
  ...needs: ProvidersOf<Needs>
): HandlerClass;
export function handle<
  Input,
  Facts,
  Result extends object,
  Prepared,
  const Needs extends readonly unknown[] = [],
>(
  useCase: Type<UseCase<Input, Result>>,
  handling: Preparing<NoInfer<Input>, Prepared, Needs> &
    Handling<NoInfer<Input>, Facts, Result, [prepared: NoInfer<Prepared>]>,
  ...needs: ProvidersOf<Needs>
): HandlerClass;
export function handle<Input, Facts, Result extends object>(
  useCase: Type<UseCase<Input, Result>>,
  handling: Handling<Input, Facts, Result, unknown[]> & Partial<Preparing<Input, unknown, unknown[]>>,
  ...needs: readonly Abstract<unknown>[]
): HandlerClass {
  const result = handling.result?.bind(handling) ?? (receiptOf as unknown as ResultOf<Facts, Result>);

  @CommandHandler(useCase)
  class Handler implements ICommandHandler<UseCase<Input, Result>> {
    static readonly useCase = useCase;

    private readonly needs: unknown[];

    constructor(
      private readonly engine: CommandEngine,
      private readonly idempotency: Idempotency,
      ...given: unknown[]
    ) {
      this.needs = given;
    }

    async execute({ writer, input }: UseCase<Input, Result>): Promise<Result> {
      const { hostId, idempotency: key } = writer.context;
      if (key === undefined) return this.carryOut(writer, input);
      const kept = await this.idempotency.begin(hostId, key);
      try {
        return kept === undefined ? await this.carryOut(writer, input) : (replayed(kept) as Result);
      } finally {
        this.idempotency.end(hostId, key);
      }
    }

    private async carryOut(writer: Writer, input: Input): Promise<Result> {
      await handling.check?.(input, writer);
      const given = handling.prepare ? [await handling.prepare(input, writer, ...this.needs)] : this.needs;
      const { hostId, idempotency: key } = writer.context;
      let facts: Facts;
      return this.engine.execute({
        context: writer.context,
        commands: async (sql) => {
          facts = await handling.load(sql, input, writer, ...given);
          return handling.decide(facts, input, writer);
        },
        result: (outcomes, position) => result(outcomes, position, facts),
        beforeCommit: async (sql, made) => {
          const reply = { status: 200, headers: resultHeaders, body: JSON.stringify(made) } as const;
          if (key !== undefined) await keepReply(sql, hostId, key, reply);
        },
      });
    }
  }
  return injected(Handler, 2, needs);
}
