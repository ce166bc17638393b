/**
 * `npm test`: every test that this machine can run, lane by lane, and at the end what ran, what did not, and why.
 * `--lane unit,slow` runs those lanes alone. Other arguments go to jest: `npm test -- skills`.
 */
import { jest } from './jest.mjs';
import { build, install, main, seconds, SetUpError } from './set-up.mjs';

const url = process.env.TEST_DATABASE_URL || process.env.DATABASE_URL || undefined;
const withoutServer =
  'on PostgreSQL: neither TEST_DATABASE_URL nor DATABASE_URL is set. To run these tests too: docker compose up -d db, ' +
  'then TEST_DATABASE_URL=postgresql://portal:portal@127.0.0.1:5432/portal npm test';

/** The lanes of jest.config.js. Of the last two, each worker may hold a whole database in memory. */
const workers = { unit: '100%', slow: '100%', database: '3', system: '3' };
const lanes = Object.keys(workers);

/** Suites that run on every database stand under these headings. */
const groups = [
  ['on PostgreSQL', ({ name }) => name.includes('on PostgreSQL')],
  ['on the embedded database', ({ name }) => name.includes('on the embedded database')],
  ['without a choice of database', () => true],
];

await main(async () => {
  const { chosen, rest } = readArguments();
  await install();
  await build();
  // Without them their tests are left out, and named at the end.
  if (chosen.includes('system'))
    await install('test/conformance').catch(({ message }) => console.error(message));
  const started = Date.now();
  // A server that DATABASE_URL names is for the tests' own databases, never for a service that a test starts.
  const env = { TEST_DATABASE_URL: url, DATABASE_URL: undefined };
  const ran = [];
  for (const lane of chosen) {
    const begun = Date.now();
    const results = await jest(lane, [`--maxWorkers=${workers[lane]}`, ...rest], env);
    ran.push({ lane, time: seconds(begun), ...results });
  }
  report(ran, { time: seconds(started), isWhole: rest.length === 0 });
});

/** The lanes that were asked for, and what goes to jest. */
function readArguments() {
  const args = process.argv.slice(2).flatMap((arg) => (arg.startsWith('--lane=') ? arg.split('=') : [arg]));
  const at = args.indexOf('--lane');
  if (at < 0) return { chosen: lanes, rest: args };
  const [, asked = ''] = args.splice(at, 2);
  const chosen = asked.split(',');
  const unknown = chosen.find((lane) => !lanes.includes(lane));
  if (unknown !== undefined)
    throw new SetUpError(`There is no lane '${unknown}'. --lane takes some of ${lanes.join(',')}.`);
  return { chosen, rest: args };
}

function report(ran, { time, isWhole }) {
  console.log(`\nWhat ran, in ${time}:`);
  for (const { lane, time: own, tests } of ran) {
    console.log(`  ${lane}, in ${own}: ${counted(tests)}`);
    let left = tests;
    for (const [heading, belongs] of groups) {
      const members = left.filter(belongs);
      left = left.filter((test) => !members.includes(test));
      if (members.length > 0 && members.length < tests.length)
        console.log(`    ${heading}: ${counted(members)}`);
    }
  }
  const slowest = ran.flatMap(({ files }) => files).sort((a, b) => b.ms - a.ms);
  console.log('The ten slowest files:');
  for (const { path, ms } of slowest.slice(0, 10)) console.log(`  ${(ms / 1000).toFixed(1)} s  ${path}`);
  const all = ran.flatMap(({ tests }) => tests);
  const left = leftOut(ran, all);
  if (left.length > 0) console.log(['What did not run:', ...left].join('\n  '));
  const failed = all.filter(({ status }) => status === 'failed').map(({ name }) => name);
  // With a pattern of the caller's, a lane may have nothing that it fits.
  const empty = ran
    .filter(({ tests }) => !tests.some(hasRun))
    .map(({ lane }) => `the lane ${lane}: no test ran`);
  if (isWhole) failed.push(...empty, ...ran.flatMap(withoutDatabase));
  if (failed.length > 0) console.log(['What failed:', ...failed].join('\n  '));
  console.log(`\n${counted(all)}`);
  if (failed.length > 0 || !all.some(hasRun)) process.exitCode = 1;
}

function leftOut(ran, all) {
  const skipped = all.filter(({ status }) => status === 'skipped').map(({ name }) => name);
  const needServer = ran.some(({ lane }) => lane === 'database' || lane === 'system');
  return [...(needServer && !url ? [`database and system ${withoutServer}`] : []), ...skipped];
}

/** Of the databases that there are each must have been tried. */
function withoutDatabase({ lane, tests }) {
  if (lane !== 'database') return [];
  const headings = ['on the embedded database', ...(url ? ['on PostgreSQL'] : [])];
  return headings
    .filter((heading) => !tests.some((test) => test.name.includes(heading) && hasRun(test)))
    .map((heading) => `the lane ${lane}: no test ran ${heading}`);
}

function hasRun({ status }) {
  return status !== 'skipped';
}

function counted(tests) {
  const count = (wanted) => tests.filter(({ status }) => status === wanted).length;
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
}
