import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ToolInterface } from '../../packages/tool-clients/tool-interface.js';
import generated from './generation.js';
import { generatedPackage } from './generation.pool.js';

/** A tool with as many arguments as its file has room for. */
const large = (at: number): ToolInterface => ({
  ...{
    name: `tool_${String(at)}`,
    version: '1.0.0',
    title: 'Reads',
    description: 'Reads.',
    digest: 'sha256:0f',
  },
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 2_000 }, (_, argument) => [`a${String(argument)}`, { type: 'string' }]),
    ),
  },
});

it('a package of large tools is written beside all else', async () => {
  const task = { tools: [1, 2, 3].map(large), language: 'typescript', packageVersion: '0.1.0' } as const;
  let turns = 0;
  const done = new AbortController();
  const counted = (async () => {
    for (; !done.signal.aborted; turns += 1) await nextTurn();
  })();
  const written = await generatedPackage(task, 'host').finally(() => {
    done.abort();
  });
  await counted;
  // Where each tool is a step, the event loop goes round once for each.
  expect(turns).toBeGreaterThan(20);
  expect(written).toEqual(generated(task));
});
