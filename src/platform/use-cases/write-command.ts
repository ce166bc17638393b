import { CommandHandler, Command as NestCommand, type ICommandHandler } from '@nestjs/cqrs';
import { CommandEngine, type UnitOfWork } from '../../eventsourcing/command-engine.js';
import type { Command, Outcome } from '../../eventsourcing/command.js';
import type { Sql } from '../../eventsourcing/sql.js';
import type { KeyedContext } from '../idempotency/idempotency.js';
import { keepReply, type Reply } from '../idempotency/kept-replies.js';

/**
 * A write that is no use case yet: a plan that reads the facts and builds the commands, all or none of which are carried
 * out in one transaction on one host.
 *
 * `locked` (the usual way): the plan runs under the host's head lock; nothing that it reads can be raced.
 * `optimistic` (long plans): it runs before the lock and is made again, at most twice, when a stream that it
 * touched has moved or a unique rule of a table refuses it. Allowed only where these two guard all its facts.
 */
export interface Write {
  readonly context: KeyedContext;
  readonly mode: 'locked' | 'optimistic';
  /** Only `locked`: all is done but the commit. The reply tells what would be, refusals are the same. */
  readonly dry?: boolean;
  plan(sql: Sql): Promise<readonly Command[]> | readonly Command[];
  /**
   * Only `optimistic`: asked under the head lock whether the facts of the plan still hold, where streams and
   * unique rules do not guard all of them; `false` plans again.
   */
  stillHolds?(sql: Sql): Promise<boolean>;
  /** Only `dry`: looks at the world as it would be, before all is undone. */
  look?(sql: Sql): Promise<void>;
  /** `outcomes` in the order of the commands; `position` of the last event that the write is about. */
  reply(outcomes: readonly Outcome[], position: number): Reply;
}

/** A write of closures on its way through the command bus. */
export class WriteCommand extends NestCommand<Reply> {
  constructor(readonly write: Write) {
    super();
  }
}

/** Carries out the writes that are closures and no use cases yet. */
@CommandHandler(WriteCommand)
export class WriteHandler implements ICommandHandler<WriteCommand> {
  constructor(private readonly engine: CommandEngine) {}

  execute({ write }: WriteCommand): Promise<Reply> {
    return this.engine.execute(unitOfWork(write));
  }
}

/** A write of closures as the engine takes it: the plan of an optimistic one is made before the lock. */
export function unitOfWork(write: Write): UnitOfWork<Reply, readonly Command[] | undefined> {
  const { context } = write;
  return {
    context,
    isDryRun: write.dry === true,
    ...(write.mode === 'optimistic' && { prepare: async (sql) => write.plan(sql) }),
    commands: async (sql, planned) => {
      if (planned === undefined) return write.plan(sql);
      return (await write.stillHolds?.(sql)) === false ? 'outdated' : planned;
    },
    result: (outcomes, position) => write.reply(outcomes, position),
    beforeCommit: async (sql, reply) => {
      await write.look?.(sql);
      if (context.idempotency !== undefined) await keepReply(sql, context.hostId, context.idempotency, reply);
    },
  };
}
