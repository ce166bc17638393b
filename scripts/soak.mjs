/**
 * `npm run soak`: all that takes long, each folder of soak/ a lane, and the laws and the tests on databases once more: with many runs,
 * fresh seeds and every database. `npm run soak fuzz walks` runs those lanes alone; `SOAK_SEED=7` repeats the draws of a run.
 */
import { randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { missingTests, report, runLanes } from './lanes.mjs';
import { build, install, main, readArguments, root, seconds } from './set-up.mjs';

const url = process.env.TEST_DATABASE_URL || process.env.DATABASE_URL || undefined;
const seed = process.env.SOAK_SEED ?? String(randomInt(1, 2 ** 31));
const env = { TEST_DATABASE_URL: url, DATABASE_URL: undefined, SOAK: 'on', SOAK_SEED: seed };
const folders = readdirSync(join(root, 'soak'), { withFileTypes: true }).filter((entry) =>
  entry.isDirectory(),
);
const lanes = [
  { name: 'laws', projects: ['unit', 'slow'], workers: '100%', env },
  { name: 'databases', projects: ['database'], workers: '3', env },
  ...folders.map(({ name }) => ({ name, projects: [`soak-${name}`], workers: '2', env })),
];

await main(async () => {
  const { chosen, rest } = readArguments(lanes);
  await install();
  await build();
  for (const folder of ['test/conformance', 'test/fidelity/prism'])
    await install(folder).catch(({ message }) => console.error(message));
  const started = Date.now();
  console.log(`The seed of this run is ${seed}; SOAK_SEED=${seed} npm run soak repeats it.`);
  const ran = await runLanes(chosen, rest);
  report(ran, {
    time: `${seconds(started)}, by the seed ${seed}`,
    missing: missingTests(ran, rest),
    leftOut: url ? [] : ['what needs PostgreSQL: neither TEST_DATABASE_URL nor DATABASE_URL is set'],
  });
});
