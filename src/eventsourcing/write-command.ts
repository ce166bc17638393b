import { Command as NestCommand } from '@nestjs/cqrs';
import type { Command, Outcome, Reply, Write, WriteContext } from './command.js';
import type { Sql } from './sql.js';

/**
 * A write on its way through the command bus: `commandBus.execute(new WriteCommand({context, mode, plan, reply}))`
 * resolves to the reply. One class and one handler serve every slice; the intents are the plan's commands.
 */
export class WriteCommand extends NestCommand<Reply> implements Write {
  readonly context: WriteContext;
  readonly mode: Write['mode'];

  constructor(private readonly write: Write) {
    super();
    this.context = write.context;
    this.mode = write.mode;
  }

  plan(sql: Sql): Promise<readonly Command[]> | readonly Command[] {
    return this.write.plan(sql);
  }

  async stillHolds(sql: Sql): Promise<boolean> {
    return (await this.write.stillHolds?.(sql)) ?? true;
  }

  reply(outcomes: readonly Outcome[], position: number): Reply {
    return this.write.reply(outcomes, position);
  }
}
