import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandEngine } from './command-engine.js';
import type { Reply } from './command.js';
import { WriteCommand } from './write-command.js';

/** The one command handler: every write of every slice goes through the engine. */
@CommandHandler(WriteCommand)
export class WriteHandler implements ICommandHandler<WriteCommand> {
  constructor(private readonly engine: CommandEngine) {}

  execute(command: WriteCommand): Promise<Reply> {
    return this.engine.execute(command.write);
  }
}
