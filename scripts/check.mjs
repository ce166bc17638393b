/**
 * `npm run check`: all that can be said of the code without a database. Every step runs, lint beside the others that
 * take one processor; a failed one fails it. `npm run check -- lint types` runs those steps alone, and
 * `npm run check -- --without unit` all but those.
 */
import { firstLoad } from './first-load.mjs';
import { jest } from './jest.mjs';
import { build, install, main, run, seconds, SetUpError } from './set-up.mjs';
import { checkSize } from './size.mjs';

// No tool calls home.
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const tool = (path, ...args) => run(process.execPath, [`node_modules/${path}`, ...args], { env });

async function unitTests() {
  const { tests } = await jest(['unit'], ['--maxWorkers=100%']);
  return tests.some(({ status }) => status === 'failed') ? 1 : 0;
}

const lint = ['lint', () => tool('eslint/bin/eslint.js', '--max-warnings', '0', '.')];
const besideLint = [
  ['format', () => tool('prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.')],
  [
    'types',
    () =>
      // What it found out last time is kept, and only what has changed is looked at again.
      tool(
        'typescript/bin/tsc',
        ...['-p', 'tsconfig.json', '--noEmit', '--incremental'],
        ...['--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo'],
      ),
  ],
  ['types of the portal', () => tool('typescript/bin/tsc', '-p', 'ui')],
  [
    'import fences',
    () =>
      tool(
        'dependency-cruiser/bin/dependency-cruise.mjs',
        'src',
        'packages',
        'bench',
        'examples',
        'ui/src',
        '--output-type',
        'err-long',
      ),
  ],
  ['dead code', () => tool('knip/bin/knip.js')],
  [
    'openapi and docs/graph.md in step with the code',
    () => run(process.execPath, ['dist/src/openapi.js', '--check']),
  ],
  ['openapi lint', () => tool('@redocly/cli/bin/cli.js', 'lint')],
  ['first load of the portal', firstLoad],
];
const alone = [
  ['unit tests', unitTests],
  ['size', checkSize],
];

/** Runs the steps one after the other; resolves with the names of those that failed. */
async function inTurn(steps) {
  const failed = [];
  for (const [name, step] of steps) {
    const started = Date.now();
    console.error(`── ${name}`);
    const code = await step();
    console.error(`── ${name}: ${code === 0 ? 'ok' : 'FAILED'} (${seconds(started)})\n`);
    if (code !== 0) failed.push(name);
  }
  return failed;
}

await main(async () => {
  const args = process.argv.slice(2);
  const without = args[0] === '--without';
  const words = without ? args.slice(1) : args;
  const all = [lint, ...besideLint, ...alone];
  const unknown = words.find((word) => !all.some(([name]) => name.includes(word)));
  if (unknown !== undefined || (without && words.length === 0))
    throw new SetUpError(
      `There is no step '${unknown ?? ''}'. The steps are ${all.map(([name]) => name).join(', ')}.`,
    );
  await install();
  await build();
  const chosen = (steps) =>
    steps.filter(([name]) => words.length === 0 || words.some((word) => name.includes(word)) !== without);
  const lanes = await Promise.all([inTurn(chosen([lint])), inTurn(chosen(besideLint))]);
  const failed = [...lanes.flat(), ...(await inTurn(chosen(alone)))];
  const count = chosen(all).length;
  console.log(failed.length > 0 ? `Failed: ${failed.join(', ')}.` : `All ${count} checks passed.`);
  if (failed.length > 0) process.exitCode = 1;
});
