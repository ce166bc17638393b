import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CommandEngine } from './command-engine.js';
import { forgetOldReplies } from './kept-replies.js';
import { DATABASE, type Database } from './sql.js';

const HOUR = 3_600_000;

/** What the engine needs of the process around it: old replies forgotten by the hour, writes finished at the end. */
@Injectable()
export class EngineLifetime implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('Engine');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly engine: CommandEngine,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.forget(), HOUR).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.engine.idle();
  }

  private async forget(): Promise<void> {
    try {
      await forgetOldReplies(this.database);
    } catch (error) {
      this.log.error(`Old idempotency keys could not be removed: ${String(error)}`);
    }
  }
}
