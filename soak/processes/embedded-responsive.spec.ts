import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { settled, type Progress } from '../../test/e2e/embedding-progress.js';
import { newHome, type Home } from '../../test/e2e/home.js';
import { ServiceProcess } from '../../test/system/service-process.js';
import { Stopwatch } from '../stopwatch.js';

let home: Home;
let service: ServiceProcess;
beforeAll(async () => {
  home = await newHome('embedded');
  service = await ServiceProcess.start(home);
});
afterAll(async () => {
  await service.stop('SIGTERM');
  await home.raze();
});

/** All answers came so soon but the slowest twentieth. */
const most = (waits: readonly number[]): number => waits[Math.ceil(waits.length * 0.95) - 1] ?? NaN;

test('while GitHub’s description is imported with its tags, and until all of it is found, others are answered', async () => {
  const file = createRequire(import.meta.url).resolve('@octokit/openapi/generated/api.github.com.json');
  const token = await service.token();
  const body = {
    api: { apiId: 'github' },
    version: { apiVersion: '1', serviceId: 'accounts', envTag: 'dev' },
    document: await readFile(file, 'utf8'),
    publish: true,
    createTags: true,
  };
  const answered = { health: 0, reads: 0 };
  let isFound = false;
  const over = () => isFound;
  const whole = new Stopwatch();
  const health = Stopwatch.waits(async () => {
    await (await fetch(`${service.address}/health/live`)).text();
    answered.health += 1;
  }, over);
  // One waits for the import's own transaction.
  const reads = Stopwatch.waits(async () => {
    await service.send('GET', '/tools?limit=20', token);
    answered.reads += 1;
  }, over);
  const imported = await service.send('POST', '/imports', token, { body });
  const duringImport = { ...answered };
  expect([imported.status, JSON.parse(imported.text)]).toEqual([
    200,
    expect.objectContaining({ added: 1223, published: 1223 }),
  ]);
  await settled(
    async () => JSON.parse((await service.send('GET', '/embeddings/progress', token)).text) as Progress,
  );
  isFound = true;
  expect(duringImport.health).toBeGreaterThan(100);
  expect(duringImport.reads).toBeGreaterThan(10);
  expect(answered.health - duringImport.health).toBeGreaterThan(100);
  expect(answered.reads - duringImport.reads).toBeGreaterThan(10);
  expect(whole.shareOf(most(await health))).toBeLessThan(1 / 30);
  expect(whole.shareOf(most(await reads))).toBeLessThan(1 / 10);
});
