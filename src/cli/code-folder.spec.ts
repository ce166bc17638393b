import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import fc from 'fast-check';
import { checkFiles, isSetting } from '../documents/archive-file.js';
import { type CodeDocument, readFolder, writeFolder } from './code-folder.js';
import { many } from '../../test/soak.js';

const byPlace = (documents: readonly CodeDocument[]) =>
  [...documents].sort((a, b) => (`${a.kind} ${a.key}` < `${b.kind} ${b.key}` ? -1 : 1));

describe('a folder of documents', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'code-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const text = fc.string({ unit: 'grapheme', maxLength: 30 });
  const line = text.map((value) => value.trim()).filter((value) => /^[^\p{C}\p{Z}]/u.test(value));
  const skill = fc.record({
    kind: fc.constant('Skill'),
    key: line,
    spec: fc.record({
      description: line,
      version: fc.constant('1.2.0'),
      contentMarkdown: fc.constantFrom('# Do\n\nThis.\n', 'x', '---\nno: head\n---\n'),
      tags: fc.array(fc.constantFrom('a', 'b')),
    }),
  });
  const other = fc.record({
    kind: fc.constantFrom('Tag', 'Webhook', 'Gateway'),
    key: fc.array(line, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
    spec: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(text, fc.integer(), fc.constant(null))),
  });

  it('gives back what was written into it, and writes nothing twice', async () => {
    const names = { selector: ({ kind, key }: CodeDocument) => `${kind} ${key}`.toLowerCase() };
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.oneof(skill, other), { minLength: 1, maxLength: 5, ...names }),
        async (all) => {
          const place = mkdtempSync(join(folder, 'x'));
          const { written, others } = await writeFolder(place, all);
          expect([written >= all.length, others]).toEqual([true, []]);
          expect(byPlace(await readFolder(place))).toEqual(byPlace(all));
          expect((await writeFolder(place, all)).written).toBe(0);
          expect((await writeFolder(place, all.slice(1))).others).toHaveLength(1);
        },
      ),
      many(60),
    );
  });

  it('says which file can’t be read, and why', async () => {
    await expect(readFolder(join(folder, 'nowhere'))).rejects.toThrow("can't be read");
    await expect(readFolder(folder)).rejects.toThrow('has no documents');
    writeFileSync(join(folder, 'a.yaml'), 'kind: Tag\nkey: skill/a\nspec: {}\nmore: 1\n');
    await expect(readFolder(folder)).rejects.toThrow(/a\.yaml: is no document/);
    writeFileSync(join(folder, 'a.yaml'), 'kind: [\n');
    await expect(readFolder(folder)).rejects.toThrow(/a\.yaml: .*line/);
    rmSync(join(folder, 'a.yaml'));
    symlinkSync('/etc/hosts', join(folder, 'b.yaml'));
    await expect(readFolder(folder)).rejects.toThrow(/b\.yaml: is a link/);
  });

  it('writes no file that is hidden, of git or of a device, and reads back what it wrote', async () => {
    const keys = ['.git', '.husky', 'CON', 'a.', 'b. c', '..', 'nul.x'];
    const documents = keys.flatMap((key) => [
      { kind: 'Skill', key, spec: { description: '', version: '1.0.0', contentMarkdown: 'x' } },
      { kind: 'Workflow', key: `${key}/pre-commit@1`, spec: {} },
    ]);
    const place = join(folder, 'named');
    const written = await writeFolder(place, documents);
    expect(written).toEqual({ written: 3 * keys.length, others: [] });
    const entries = await readdir(place, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const paths = files.map((file) => relative(place, file).split(sep).join('/'));
    expect(paths.filter(isSetting)).toEqual([]);
    const checked = () => {
      checkFiles(
        paths.map((path) => ({ path, bytes: new Uint8Array() })),
        { files: 100, bytes: 0 },
      );
    };
    expect(checked).not.toThrow();
    expect(byPlace(await readFolder(place))).toEqual(byPlace(documents));
  });

  it('keeps files within itself, whatever a key says', async () => {
    const key = '../../../outside/..';
    await writeFolder(join(folder, 'in'), [{ kind: 'Tag', key, spec: {} }]);
    expect(await readFolder(join(folder, 'in'))).toEqual([{ kind: 'Tag', key, spec: {} }]);
    await expect(readFolder(join(folder, 'outside'))).rejects.toThrow("can't be read");
  });
});
