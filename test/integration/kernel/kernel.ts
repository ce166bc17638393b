import { v7 } from 'uuid';
import { CommandEngine } from '../../../src/kernel/command-engine.js';
import { Domain } from '../../../src/kernel/domain.js';
import { HeadWatcher } from '../../../src/kernel/heads.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import type { Open } from '../databases.js';
import { accountSlice, makeAccountTables, OpenAccount, write } from './account.slice.js';

/** The kernel over one database, with the domain of accounts. */
export class Kernel {
  readonly domain = new Domain([accountSlice]);
  readonly heads: HeadWatcher;
  readonly engine: CommandEngine;
  readonly store: EventStore;

  private constructor(readonly database: OpenDatabase) {
    this.heads = new HeadWatcher(database);
    // They end with the database, before which nobody is left to watch it.
    const close = database.close.bind(database);
    Object.assign(database, {
      close: () => {
        this.heads.onModuleDestroy();
        return close();
      },
    });
    this.engine = new CommandEngine(database, this.domain, this.heads);
    this.store = new EventStore(database.asOwner, this.domain.types);
  }

  static async on(open: Open): Promise<Kernel> {
    const database = await open();
    await makeAccountTables(database);
    return new Kernel(database);
  }

  /** Another instance of the service on the same database. */
  another(): Kernel {
    return new Kernel(this.database);
  }

  async openAccount(hostId: string, name: string): Promise<string> {
    const accountId = v7();
    await this.engine.execute(write(hostId, [new OpenAccount(hostId, accountId, { name })]));
    return accountId;
  }

  /** The rows of the projection as they are now. */
  async accounts(): Promise<readonly object[]> {
    return this.database.asOwner.query('SELECT * FROM account_t ORDER BY host_id, account_id');
  }
}
