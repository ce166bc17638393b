import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { settled, type Progress } from '../e2e/embedding-progress.js';
import { newHome, type Home } from '../e2e/home.js';
import { ServiceProcess } from './service-process.js';

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

/** Asks until it is over; gives the milliseconds in which all answers came but the slowest twentieth. */
async function waits(ask: () => Promise<unknown>, over: () => boolean): Promise<number> {
  const all: number[] = [];
  while (!over()) {
    const asked = performance.now();
    await ask();
    all.push(performance.now() - asked);
    await sleep(20);
  }
  return all.sort((a, b) => a - b)[Math.ceil(all.length * 0.95) - 1] ?? NaN;
}

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
  let isFound = false;
  const over = () => isFound;
  const began = performance.now();
  const health = waits(() => fetch(`${service.address}/health/live`).then((answer) => answer.text()), over);
  // One waits for the import's own transaction.
  const reads = waits(() => service.send('GET', '/tools?limit=20', token), over);
  const imported = await service.send('POST', '/imports', token, { body });
  expect([imported.status, JSON.parse(imported.text)]).toEqual([
    200,
    expect.objectContaining({ added: 1223, published: 1223 }),
  ]);
  await settled(
    async () => JSON.parse((await service.send('GET', '/embeddings/progress', token)).text) as Progress,
  );
  isFound = true;
  // Shares of the whole, which a slow machine makes as much longer as the waits.
  const whole = performance.now() - began;
  expect(await health).toBeLessThan(whole / 30);
  expect(await reads).toBeLessThan(whole / 10);
});
