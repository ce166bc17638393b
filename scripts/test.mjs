/**
 * `npm test`: what must hold for every change, lane by lane, and at the end what ran, what did not, and why. `npm run soak` has what
 * takes long. `--lane unit,slow` runs those lanes alone. Other arguments go to jest: `npm test -- skills`.
 */
import { hasRun, missingTests, processorSeconds, report, runLanes } from './lanes.mjs';
import { keepWeight } from './size.mjs';
import { build, install, main, readArguments, seconds } from './set-up.mjs';

const url = process.env.TEST_DATABASE_URL || process.env.DATABASE_URL || undefined;
const withoutServer =
  'on PostgreSQL: neither TEST_DATABASE_URL nor DATABASE_URL is set. To run these tests too: docker compose up -d db, ' +
  'then TEST_DATABASE_URL=postgresql://portal:portal@127.0.0.1:5432/portal npm test';

/** A server that DATABASE_URL names is for the tests' own databases, never for a service that a test starts. */
const env = { TEST_DATABASE_URL: url, DATABASE_URL: undefined };
/** Of the last two, each worker may hold a whole database in memory. */
const workers = { unit: '100%', slow: '100%', database: '3', system: '3' };
const lanes = Object.entries(workers).map(([name, count]) => ({
  name,
  projects: [name],
  workers: count,
  env,
}));
/** Of tests of the runner itself. */
const planted = { name: 'planted', projects: ['planted'], workers: '2', env };

await main(async () => {
  const { chosen, rest } = readArguments(lanes, [planted]);
  const isPlanted = chosen.includes(planted);
  if (!isPlanted) {
    await install();
    await build();
  }
  // Without them their tests are left out, and named at the end.
  if (chosen.some(({ name }) => name === 'system'))
    await install('test/conformance').catch(({ message }) => console.error(message));
  const started = Date.now();
  const ran = await runLanes(chosen, rest);
  const isWhole = rest.length === 0 && chosen.length === lanes.length;
  // For the next `npm run check`, which holds it to the budget.
  if (isWhole && processorSeconds() !== undefined) keepWeight(processorSeconds());
  const needServer = chosen.some(({ name }) => name === 'database' || name === 'system');
  report(ran, {
    time: seconds(started),
    missing: [...missingTests(ran, rest), ...(rest.length === 0 ? ran.flatMap(withoutDatabase) : [])],
    leftOut: needServer && !url ? [`database and system ${withoutServer}`] : [],
  });
});

/** Of the databases that there are each must have been tried. */
function withoutDatabase({ lane, tests }) {
  if (lane !== 'database') return [];
  const headings = ['on the embedded database', ...(url ? ['on PostgreSQL'] : [])];
  return headings
    .filter((heading) => !tests.some((test) => test.name.includes(heading) && hasRun(test)))
    .map((heading) => `the lane ${lane}: no test ran ${heading}`);
}
