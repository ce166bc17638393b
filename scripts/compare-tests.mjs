/**
 * `node scripts/compare-tests.mjs <commit>`: whether every test of that commit still runs in `npm test` or in `npm run soak`. Prints each
 * that does not, with the reason that test/left-tests.json gives; fails where one has none. Names are compared without ids and numbers,
 * which are often those of runs and seeds. It takes some minutes: the commit is checked out and installed beside this copy.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, install, main, root, run, SetUpError } from './set-up.mjs';

const uuid = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;
const nodeOptions = '--experimental-vm-modules --disable-warning=ExperimentalWarning';

await main(async () => {
  const [commit] = process.argv.slice(2);
  if (commit === undefined)
    throw new SetUpError('Name the commit to compare with: node scripts/compare-tests.mjs v1');
  await install();
  await build();
  const folder = mkdtempSync(join(tmpdir(), 'compare-tests-'));
  // Beside this copy, so that both find the same documents around them.
  const before = mkdtempSync(join(root, '..', 'compare-tests-'));
  try {
    await done('git', ['worktree', 'add', '--detach', before, commit], root);
    await done('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], before);
    const left = await namesOf(before, join(folder, 'before.json'));
    for (const soak of ['off', 'on'])
      for (const name of await namesOf(root, join(folder, `${soak}.json`), soak)) left.delete(name);
    report(left);
  } finally {
    await run('git', ['worktree', 'remove', '--force', before]);
    rmSync(folder, { recursive: true, force: true });
  }
});

async function done(command, args, cwd) {
  const code = await run(command, args, { cwd });
  if (code !== 0) throw new SetUpError(`${command} ${args.join(' ')} ended with exit code ${code}.`);
}

/** The names of all tests of a checkout: every file is loaded, and no test fits the pattern that is to run. */
async function namesOf(checkout, into, soak = 'off') {
  const args = [
    '--json',
    `--outputFile=${into}`,
    '--silent',
    '--maxWorkers=2',
    '--workerIdleMemoryLimit=1GB',
    '--testNamePattern',
    '^$',
  ];
  const env = { ...process.env, NODE_OPTIONS: nodeOptions, SOAK: soak };
  await run(process.execPath, ['node_modules/jest/bin/jest.js', ...args], {
    cwd: checkout,
    env,
    stdio: 'ignore',
    heartbeat: `still reading the tests of ${checkout}`,
  });
  const { testResults } = JSON.parse(readFileSync(into, 'utf8'));
  const broken = testResults.filter(
    ({ assertionResults, message }) => assertionResults.length === 0 && message,
  );
  for (const { name, message } of broken) console.error(`${name} could not be read:\n${message}`);
  const names = testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ fullName }) => fullName),
  );
  return new Set(names.map((name) => name.replace(uuid, '#').replace(/\d[\d,_.]*/g, '#')));
}

function report(left) {
  const reasons = JSON.parse(readFileSync(join(root, 'test', 'left-tests.json'), 'utf8'));
  const why = (name) => reasons.find(({ names }) => new RegExp(names).test(name))?.why;
  const unexplained = [...left].filter((name) => why(name) === undefined);
  for (const name of left) console.log(`${name}\n    ${why(name) ?? 'NO REASON'}`);
  console.log(`${left.size} names left, ${unexplained.length} of them without a reason.`);
  if (unexplained.length > 0) process.exitCode = 1;
}
