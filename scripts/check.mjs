/** `npm run check`: all that can be said of the code without a database. Every step runs; a failed one fails it. */
import { jest } from './jest.mjs';
import { build, install, main, run, seconds } from './set-up.mjs';

// No tool calls home.
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const tool = (path, ...args) => run(process.execPath, [`node_modules/${path}`, ...args], { env });

async function unitTests() {
  const tests = await jest(['unit']);
  return tests.some(({ status }) => status === 'failed') ? 1 : 0;
}

const steps = [
  ['format', () => tool('prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.')],
  ['lint', () => tool('eslint/bin/eslint.js', '--max-warnings', '0', '.')],
  ['types', () => tool('typescript/bin/tsc', '-p', 'tsconfig.json', '--noEmit')],
  [
    'import fences',
    () =>
      tool(
        'dependency-cruiser/bin/dependency-cruise.mjs',
        'src',
        'packages',
        'bench',
        'examples',
        '--output-type',
        'err-long',
      ),
  ],
  ['dead code', () => tool('knip/bin/knip.js')],
  ['unit tests', unitTests],
  [
    'openapi and docs/graph.md in step with the code',
    () => run(process.execPath, ['dist/src/openapi.js', '--check']),
  ],
  ['openapi lint', () => tool('@redocly/cli/bin/cli.js', 'lint')],
];

await main(async () => {
  await install();
  await build();
  const only = process.argv.slice(2);
  const chosen = steps.filter(([name]) => only.length === 0 || only.some((word) => name.includes(word)));
  const failed = [];
  for (const [name, step] of chosen) {
    const started = Date.now();
    console.error(`── ${name}`);
    const code = await step();
    console.error(`── ${name}: ${code === 0 ? 'ok' : 'FAILED'} (${seconds(started)})\n`);
    if (code !== 0) failed.push(name);
  }
  console.log(failed.length > 0 ? `Failed: ${failed.join(', ')}.` : `All ${chosen.length} checks passed.`);
  if (failed.length > 0) process.exitCode = 1;
});
