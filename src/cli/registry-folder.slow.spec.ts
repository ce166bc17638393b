import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registryOf } from './registry-folder.js';

const spec = (more: string) =>
  `version: 1.0.0\nname: read_file\ndescription: ${more}\ninputSchema: { type: object }\n`;

it('reads no link and no half of a file, however often a file is replaced while it is read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portal-catalog-replaced-'));
  const file = join(folder, 'tools/specs/read_file/v1_0_0.yaml');
  const secret = join(folder, 'secret.yaml');
  await mkdir(join(folder, 'tools/specs/read_file'), { recursive: true });
  await writeFile(secret, spec('secret'));
  await writeFile(file, spec('short'));
  const makes = [
    () => symlink(secret, `${file}.next`),
    () => writeFile(`${file}.next`, spec('short')),
    () => writeFile(`${file}.next`, spec('x'.repeat(4_000))),
  ];
  const over = new AbortController();
  const replacing = (async () => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      await makes[turn % makes.length]?.();
      await rename(`${file}.next`, file);
    }
  })();
  const seen = new Set<string>();
  for (let round = 0; round < 300; round += 1) {
    const { specs, faults } = await registryOf(folder);
    for (const { spec: read } of specs) seen.add(read.description.slice(0, 6));
    for (const { rule } of faults) seen.add(rule);
  }
  over.abort();
  await replacing;
  await rm(folder, { recursive: true });
  expect([...seen].filter((each) => !['short', 'xxxxxx', 'not_a_file'].includes(each))).toEqual([]);
  expect(seen).toContain('short');
});
