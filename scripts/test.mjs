/**
 * `npm test`: every test that this machine can run, and at the end what ran, what did not, and why. Arguments go to
 * jest: `npm test -- skills`.
 */
import { jest } from './jest.mjs';
import { build, install, main, seconds } from './set-up.mjs';

const url = process.env.TEST_DATABASE_URL || process.env.DATABASE_URL || undefined;
const withoutServer =
  'on PostgreSQL: neither TEST_DATABASE_URL nor DATABASE_URL is set. To run these tests too: docker compose up -d db, ' +
  'then TEST_DATABASE_URL=postgresql://portal:portal@127.0.0.1:5432/portal npm test';

/** Suites that run on every database stand under these headings. */
const groups = [
  ['on PostgreSQL', ({ name }) => name.includes('on PostgreSQL')],
  ['on the embedded database', ({ name }) => name.includes('on the embedded database')],
  ['without a choice of database', () => true],
];

await main(async () => {
  await install();
  await build();
  // Without them their tests are left out, and told at the end.
  await install('test/conformance').catch(({ message }) => console.error(message));
  const started = Date.now();
  const extra = process.argv.slice(2);
  // A server that DATABASE_URL names is for the tests' own databases, never for a service that a test starts.
  const env = { TEST_DATABASE_URL: url, DATABASE_URL: undefined };
  const unit = await jest(['unit'], ['--maxWorkers=100%', ...extra], env);
  // Each of these may hold a whole database in memory.
  const others = await jest(['integration', 'e2e'], ['--maxWorkers=2', ...extra], env);
  report(unit, others, seconds(started));
});

function report(unit, others, time) {
  console.log(`\nWhat ran, in ${time}:`);
  console.log(`  unit: ${counted(unit)}`);
  let left = others;
  for (const [heading, belongs] of groups) {
    const own = left.filter(belongs);
    left = left.filter((test) => !own.includes(test));
    if (own.length > 0) console.log(`  integration and e2e ${heading}: ${counted(own)}`);
  }
  const all = [...unit, ...others];
  const skipped = all.filter(({ status }) => status === 'skipped');
  if (!url || skipped.length > 0) console.log('What did not run:');
  if (!url) console.log(`  integration and e2e ${withoutServer}`);
  for (const { name } of skipped) console.log(`  ${name}`);
  const failed = all.filter(({ status }) => status === 'failed');
  if (failed.length > 0) console.log('What failed:');
  for (const { name } of failed) console.log(`  ${name}`);
  console.log(`\n${counted(all)}`);
  if (failed.length > 0 || all.length === 0) process.exitCode = 1;
}

function counted(tests) {
  const count = (wanted) => tests.filter(({ status }) => status === wanted).length;
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
}
