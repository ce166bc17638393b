import { Domain } from '../../src/kernel/domain.js';
import { BUILDING, Generation } from '../../src/kernel/generation.js';
import { readMigrations } from '../../src/kernel/migrations.js';
import { DATABASE, type Database, type Transaction, type Walled } from '../../src/kernel/sql.js';
import type { OwnServer } from './own-server.js';

/** The projections as the log alone makes them, beside the live ones, which go on as they are. */
export class RebuiltBeside {
  private generation: Generation | undefined;

  constructor(private readonly server: () => OwnServer) {}

  /** Makes them anew. */
  async make(): Promise<void> {
    const domain = this.server().app.get(Domain);
    this.generation = new Generation(this.live, domain, () => readMigrations('catalog'));
    await this.generation.create();
    await this.catchUp();
  }

  /** Takes in what the log holds beyond what was made last. */
  async catchUp(): Promise<void> {
    await this.generation?.catchUp(() => undefined);
  }

  /** Reads what was made last. */
  get database(): Database {
    const { live } = this;
    return {
      isBusy: () => live.isBusy(),
      ...{ embedded: live.embedded, acrossHosts: live.acrossHosts, asOwner: live.asOwner },
      session: () => live.session(),
      of: (hostId) => within(live.of(hostId)),
    };
  }

  private get live(): Database {
    return this.server().app.get<Database>(DATABASE);
  }
}

function within(live: Walled): Walled {
  const transaction = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
    live.transaction(async (tx) => {
      await tx.query(`SET LOCAL search_path TO ${BUILDING}, public`);
      return work(tx);
    });
  return { transaction, query: (...statement) => transaction((tx) => tx.query(...statement)) };
}
