import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exitCodes } from '../../src/cli/output.js';
import { endLine, type LogEnd } from '../../src/kernel/log-file.js';
import { newHome, type Home } from '../../test/e2e/home.js';
import { Program, runToEnd } from '../../test/system/service-process.js';

let home: Home;
beforeAll(async () => {
  home = await newHome('embedded');
});
afterAll(async () => {
  await home.raze();
});

it('leaves nothing of a host where it is killed in the middle, and takes all of it when it is run again', async () => {
  const log = await readFile('test/fixtures/log-1/log.jsonl', 'utf8');
  const { host, position, time, hash } = JSON.parse(log.trimEnd().split('\n').at(-1) ?? '') as LogEnd;
  const file = join(home.directory, 'log.jsonl');
  await writeFile(file, log + endLine({ host, position, time, hash, rows: null }));

  // A pipe, so that it has read so much and waits for more.
  const pipe = join(home.directory, 'log.pipe');
  execFileSync('mkfifo', [pipe]);
  const killed = new Program('cli.js', ['restore', pipe], home.environment);
  const half = createWriteStream(pipe).on('error', () => undefined);
  // More than a pipe holds: by then some of it was taken.
  await new Promise((resolve) => half.write(log.slice(0, log.length / 2), resolve));
  expect(await killed.stop('SIGKILL')).toBeNull();

  const restored = await runToEnd('cli.js', ['restore', file, '--json'], home);
  expect(restored).toMatchObject({ code: exitCodes.done });
  expect(restored.output).toContain(`"hostId":"${host}","events":${String(position)}`);
  expect(
    await runToEnd('cli.js', ['verify', '--anchor', `${host}:${String(position)}:${hash}`], home),
  ).toMatchObject({
    code: exitCodes.done,
  });
});
