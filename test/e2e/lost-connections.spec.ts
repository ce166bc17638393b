import { freshServerDatabase } from '../integration/databases.js';
import { proveUnderLoad, type Send } from '../system/database-load.js';
import { describeUnless, noServer } from '../unless.js';
import { OwnServer } from './own-server.js';
import { Relay } from './relay.js';

/** Of each way to lose them, and of hundreds: `npm run soak processes`. */
describeUnless(noServer, 'connections to PostgreSQL that are lost', () => {
  it('are made anew, and cost nothing that was acknowledged', async () => {
    const database = await freshServerDatabase();
    const near = new URL(database.url);
    const relay = await Relay.before(`http://${near.host}`);
    near.host = new URL(relay.url).host;
    const environment = { DATABASE_URL: near.href, AUTH_DEV_ISSUER: 'on', LOG_LEVEL: 'fatal' };
    const server = await OwnServer.start('embedded', environment);
    const send: Send = (method, path, more) => server.api(method, path, more);
    try {
      await proveUnderLoad(send, async (load) => {
        do {
          await load.acknowledges(5);
          relay.reset();
        } while (load.refusals.length === 0);
      });
    } finally {
      await server.stop();
      await relay.stop();
      await database.drop();
    }
  });
});
