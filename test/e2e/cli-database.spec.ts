import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitCodes } from '../../src/cli/output.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { runIn } from './command-line.js';
import { newHome, type Home } from './home.js';
import { kinds, nameOf } from './kinds.js';
import { launch, usual, type Launched } from './launch.js';
import { hostId, Server } from './server.js';

/** Commands that open the database themselves. */
describe.each(kinds.map((kind) => [nameOf(kind), kind] as const))('the command line %s', (_, kind) => {
  let home: Home;
  let documents: string;
  let service: Launched | undefined;
  const run = (...args: string[]) => runIn(home.environment, ...args);

  beforeAll(async () => {
    home = await newHome(kind);
    documents = await mkdtemp(join(tmpdir(), 'portal-catalog-cli-'));
    service = await launch(home, usual, process.stderr);
    const server = new Server({ address: service.address, directory: home.directory });
    const path = (operationId: string) => ({
      get: { operationId, responses: { 200: { description: 'ok' } } },
    });
    const imported = await server.api('POST', '/imports', {
      body: {
        api: { apiId: 'shop', apiName: 'Shop' },
        version: { apiVersion: '1.0.0', serviceId: 'shop-1.0.0', envTag: 'dev' },
        document: {
          openapi: '3.1.0',
          info: { title: 'Shop', version: '1.0.0' },
          paths: { '/orders': path('listOrders'), '/order': path('placeOrder') },
        },
        publish: true,
      },
    });
    expect(imported.status).toBe(200);
  });
  afterAll(async () => {
    await service?.app.close();
    await home.raze();
    await rm(documents, { recursive: true });
  });

  it('says that the embedded database is in use, where it is', async () => {
    const { code, output } = await run('verify');
    if (kind === 'server') expect(code).toBe(exitCodes.done);
    else
      expect({ code, output }).toMatchObject({
        code: exitCodes.locked,
        output: expect.stringContaining('Another process') as string,
      });
  });

  it('migrates, rebuilds, exports and verifies; and finds what was altered', async () => {
    await service?.app.close();
    service = undefined;
    expect((await run('migrate')).output).toContain('up to date');
    expect(JSON.parse((await run('rebuild', '--json')).output.split('\n').at(-2) ?? '')).toMatchObject({
      events: expect.any(Number) as number,
    });
    const file = join(documents, 'log.jsonl');
    expect(await run('export', '--host', hostId, '--out', file)).toMatchObject({ code: exitCodes.done });
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    expect(JSON.parse(lines.pop() ?? '')).toMatchObject({ end: { host: hostId, position: lines.length } });
    const events = lines.map((line) => JSON.parse(line) as { type: string; position: number });
    expect(await run('restore', file)).toMatchObject({
      code: exitCodes.refused,
      output: expect.stringContaining('has a log here already') as string,
    });
    expect(events.map(({ position }) => position)).toEqual(events.map((_event, index) => index + 1));
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['ApiCreatedEvent', 'ToolPublishedEvent']),
    );
    expect(await run('verify', '--host', 'nobody')).toMatchObject({ code: exitCodes.usage });
    const sound = await run('verify');
    expect(sound).toMatchObject({
      code: exitCodes.done,
      output: expect.stringContaining(`anchor ${hostId}:${events.length}:`) as string,
    });

    const { environment, directory } = home;
    const database = await openDatabase({ url: environment['DATABASE_URL'], directory });
    await database.asOwner.query(`UPDATE event_store_t SET data = '{}' WHERE position = 1`);
    await database.close();
    expect(await run('verify')).toMatchObject({
      code: exitCodes.altered,
      output: expect.stringContaining('altered at position 1') as string,
    });
  });
});
