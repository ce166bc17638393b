import 'reflect-metadata';
import { CommandHandler, Command as NestCommand, type ICommandHandler } from '@nestjs/cqrs';
import type { Abstract, Type } from '@nestjs/common';
import { CommandEngine } from '../../kernel/command-engine.js';
import type { UnitOfWork, Written } from '../../kernel/unit-of-work.js';
import type { Command, Outcome } from '../../kernel/command.js';
import { Idempotency, type KeyedContext } from '../idempotency/idempotency.js';
import { keepReply, type Reply } from '../idempotency/kept-replies.js';
import type { Sql } from '../../kernel/sql.js';
import type { Caller } from '../auth/caller.js';
import type { Visibility } from '../auth/visibility.js';
import { SeenQueries } from './seen-queries.js';

/** Who writes, by the token, and on what terms: expected version, idempotency key, correlation id. */
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
 * A write that a caller asks for, the same class at every door: `commandBus.execute(new PutSkillTool(writer, input))`.
 * {@link handle} declares how it is carried out.
 */
export abstract class UseCase<Input, Result extends object = Receipt> extends NestCommand<Result> {
  constructor(
    readonly writer: Writer,
    readonly input: Input,
  ) {
    super();
  }
}

/**
 * How a use case is carried out, in the order of the members. Each throws the kernel's errors to refuse; `needs` are the
 * providers that {@link handle} is given.
 */
export interface Handling<Input, Facts, Result, Prepared = unknown, Needs extends readonly unknown[] = []> {
  /** Refuses by the input alone: secrets, unsafe text, what takes long. */
  check?(input: Input, writer: Writer): void | Promise<void>;
  /** Does, before the lock, what needs other services or takes long. */
  prepare?(input: Input, writer: Writer, ...needs: Needs): Promise<Prepared>;
  /** Whether to do everything but commit. */
  isDryRun?(input: Input, prepared: NoInfer<Prepared>): boolean;
  /** Reads the facts of the decision, under the lock of the host's head, so that no other write can change them meanwhile. */
  load(sql: Sql, input: Input, writer: Writer, prepared: NoInfer<Prepared>): Promise<Facts>;
  /**
   * Declared where `load` takes long: it is then called before the lock, and this checks its facts under the lock, except for
   * what streams and unique rules guard.
   */
  readonly revalidate?: (sql: Sql, facts: NoInfer<Facts>) => Promise<boolean>;
  /** Declared in place of `revalidate` where it is enough to ask under the lock once more all that `load` has asked the database. */
  readonly loadsEarly?: true;
  /** Gives the commands, of which all or none are carried out; no I/O. */
  decide(facts: NoInfer<Facts>, input: Input, writer: Writer): readonly Command[];
  /** Makes the result, which is also kept for replays; {@link receiptOf} by default. */
  result?(
    outcomes: readonly Outcome[],
    position: number,
    facts: NoInfer<Facts>,
    written: Written,
  ): Result | Promise<Result>;
  /** Called with how it ended, to count it. */
  ended?(end: End<NoInfer<Prepared>>, needs: NoInfer<Needs>): void;
}

/** `prepared` where that was done, `error` where it was refused or failed. */
export interface End<Prepared> {
  readonly prepared?: Prepared;
  readonly error?: unknown;
}

/** The outcome of the first command. */
export function firstOf(outcomes: readonly Outcome[]): Outcome {
  const [first] = outcomes;
  if (first === undefined) throw new Error('A receipt needs the outcome of at least one command.');
  return first;
}

/** The receipt of the first command's record. */
export function receiptOf(outcomes: readonly Outcome[], position: number): Receipt {
  const first = firstOf(outcomes);
  const changed = outcomes.some((outcome) => outcome.changed);
  return {
    id: first.id,
    version: first.version,
    position: changed ? position : first.position,
    changed,
    created: first.before === null && first.after !== null,
  };
}

/** The receipt of the first command's record, with what `more` says of that. */
export function receiptWith<More extends object>(
  more: (outcome: Outcome) => More,
): (outcomes: readonly Outcome[], position: number) => Receipt & More {
  return (outcomes, position) => ({ ...receiptOf(outcomes, position), ...more(firstOf(outcomes)) });
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

/** Marks a kept result; version 0.1.0 kept answers of HTTP routes instead. */
const resultHeaders: Reply['headers'] = { kept: 'result' };
const keptAnswers = new WeakMap<object, Reply>();

/** The answer that version 0.1.0 kept under the key of this result, to be given again as it was. */
export function keptReplyOf(result: object): Reply | undefined {
  return keptAnswers.get(result);
}

function replayed(kept: Reply): object {
  const result = JSON.parse(kept.body) as object;
  if (kept.headers['kept'] === resultHeaders['kept']) return result;
  const receipt = { ...result, created: kept.status === 201 };
  keptAnswers.set(receipt, kept);
  return receipt;
}

/** A use case with what it is carried out with. */
interface Asked<Input, Prepared> {
  readonly writer: Writer;
  readonly input: Input;
  readonly prepared: Prepared;
}

/** Facts that were loaded before the lock. */
interface Loaded<Facts> {
  readonly facts: Facts;
  readonly hold: (sql: Sql) => Promise<boolean>;
}

/** Undefined where the facts are loaded under the lock. */
function earlyLoading<Input, Facts, Result, Prepared, Needs extends readonly unknown[]>(
  { revalidate, loadsEarly }: Handling<Input, Facts, Result, Prepared, Needs>,
  load: (sql: Sql) => Promise<Facts>,
): ((sql: Sql) => Promise<Loaded<Facts>>) | undefined {
  if (loadsEarly === true)
    return async (sql) => {
      const seen = new SeenQueries(sql);
      return { facts: await load(seen), hold: (later) => seen.hold(later) };
    };
  return (
    revalidate &&
    (async (sql) => {
      const facts = await load(sql);
      return { facts, hold: (later) => revalidate(later, facts) };
    })
  );
}

/** The use case as the engine takes it; its result is kept for replays in the same transaction. */
function unitOf<Input, Facts, Result extends object, Prepared, Needs extends readonly unknown[]>(
  handling: Handling<Input, Facts, Result, Prepared, Needs>,
  { writer, input, prepared }: Asked<Input, Prepared>,
): UnitOfWork<Result, Loaded<Facts> | undefined> {
  const { hostId, idempotency: key } = writer.context;
  const load = (sql: Sql): Promise<Facts> => handling.load(sql, input, writer, prepared);
  const prepare = earlyLoading(handling, load);
  let facts: Facts;
  return {
    context: writer.context,
    isDryRun: handling.isDryRun?.(input, prepared) ?? false,
    ...(prepare && { prepare }),
    async commands(sql, loaded) {
      if (loaded === undefined) facts = await load(sql);
      else if (!(await loaded.hold(sql))) return 'outdated';
      else facts = loaded.facts;
      return handling.decide(facts, input, writer);
    },
    result: (outcomes, position, written) =>
      handling.result?.(outcomes, position, facts, written) ??
      (receiptOf(outcomes, position) as object as Result),
    async beforeCommit(sql, made) {
      const reply = { status: 200, headers: resultHeaders, body: JSON.stringify(made) } as const;
      if (key !== undefined) await keepReply(sql, hostId, key, reply);
    },
  };
}

/** The handler of a use case, a provider of its slice's module. */
export interface HandlerClass {
  readonly useCase: Type<UseCase<unknown, object>>;
  new (
    engine: CommandEngine,
    idempotency: Idempotency,
    ...needs: readonly unknown[]
  ): ICommandHandler<UseCase<unknown, object>>;
}

/** Declares the one handler of a use case, with the providers that it needs. */
export function handle<
  Input,
  Facts,
  Result extends object,
  Prepared,
  const Needs extends readonly unknown[] = [],
>(
  useCase: Type<UseCase<Input, Result>>,
  handling: Handling<NoInfer<Input>, Facts, NoInfer<Result>, Prepared, Needs>,
  ...needs: ProvidersOf<Needs>
): HandlerClass {
  @CommandHandler(useCase)
  class Handler implements ICommandHandler<UseCase<Input, Result>> {
    static readonly useCase = useCase;

    private readonly needs: Needs;

    constructor(
      private readonly engine: CommandEngine,
      private readonly idempotency: Idempotency,
      ...given: unknown[]
    ) {
      this.needs = given as unknown as Needs;
    }

    execute({ writer, input }: UseCase<Input, Result>): Promise<Result> {
      return this.idempotency.once(
        writer.context,
        () => this.carryOut(writer, input),
        (kept) => replayed(kept) as Result,
      );
    }

    private async carryOut(writer: Writer, input: Input): Promise<Result> {
      const end: { prepared?: Prepared; error?: unknown } = {};
      try {
        await handling.check?.(input, writer);
        const prepared = (await handling.prepare?.(input, writer, ...this.needs)) as Prepared;
        end.prepared = prepared;
        return await this.engine.execute(unitOf(handling, { writer, input, prepared }));
      } catch (error) {
        end.error = error;
        throw error;
      } finally {
        handling.ended?.(end, this.needs);
      }
    }
  }
  return injected(Handler, 2, needs as unknown as readonly Abstract<unknown>[]);
}

/** The classes by which Nest finds what is needed. */
export type ProvidersOf<Needs extends readonly unknown[]> = {
  readonly [Index in keyof Needs]: Abstract<Needs[Index]>;
};

/** The class, whose constructor is given these providers after so many parameters of its own. */
export function injected<Class extends object>(
  target: Class,
  own: number,
  providers: readonly Abstract<unknown>[],
): Class {
  // A rest parameter counts as one of type Array: Nest would look for that.
  const types = Reflect.getMetadata('design:paramtypes', target) as readonly unknown[];
  Reflect.defineMetadata('design:paramtypes', [...types.slice(0, own), ...providers], target);
  return target;
}
