import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandEngine, type UnitOfWork } from '../../eventsourcing/command-engine.js';
import type { Command, Reply, Write } from '../../eventsourcing/command.js';
import { keepReply } from '../../eventsourcing/kept-replies.js';
import { WriteCommand } from '../../eventsourcing/write-command.js';

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
