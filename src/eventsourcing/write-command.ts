import { Command as NestCommand } from '@nestjs/cqrs';
import type { Reply, Write } from './command.js';

/**
 * A write on its way through the command bus: `commandBus.execute(new WriteCommand({context, mode, plan, reply}))`
 * resolves to the reply. One class and one handler serve every slice; the intents are the plan's commands.
 */
export class WriteCommand extends NestCommand<Reply> {
  constructor(readonly write: Write) {
    super();
  }
}
