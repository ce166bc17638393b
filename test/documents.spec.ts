import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../src/openapi.js';
import { settingRows } from '../src/platform/config/settings.js';
import { sample } from '../src/sample/sample-ids.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
  'packages/agent-client/README.md',
  ...readdirSync(join(root, 'docs/decisions')).map((file) => `docs/decisions/${file}`),
];

describe('the documents', () => {
  it.each(documents)('%s links to what is there', (document) => {
    const links = [...read(document).matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, link]) => link ?? '');
    const broken = links.filter(
      (link) => !/^https?:/.test(link) && !existsSync(join(root, dirname(document), link)),
    );
    expect(broken).toEqual([]);
  });

  it('docs/settings.md names every setting, as it is', () => {
    const rows = settingRows().map(({ name, default: preset, meaning }) => {
      const cells = [`\`${name}\``, preset === '' ? '' : `\`${preset}\``, meaning];
      return `| ${cells.map((cell) => cell.replaceAll(/[|<]/g, '\\$&')).join(' | ')} |`;
    });
    const [, table = ''] =
      /<!-- settings -->\n([^]*)<!-- \/settings -->/.exec(read('docs/settings.md')) ?? [];
    const present = table.split('\n').filter((line) => line.startsWith('| `'));
    expect(present).toEqual(rows);
  });

  it('docs/command-line.md names the sample’s ids', () => {
    for (const id of Object.values(sample)) expect(read('docs/command-line.md')).toContain(id);
  });

  it('README.md is one page, and docs/README.md leads to every document', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(111);
    const index = read('docs/README.md');
    const others = documents.filter((file) => /^docs\/[\w-]+\.md$/.test(file) && file !== 'docs/README.md');
    expect(others.filter((file) => !index.includes(`](${file.slice('docs/'.length)})`))).toEqual([]);
  });

  it('ARCHITECTURE.md leads from the push of a version to an agent’s catalog by at most thirty files, which are there', () => {
    const [, table = ''] = /\*\*A version of a tool\*\*[^|]*([^]*?)\n\n/.exec(read('ARCHITECTURE.md')) ?? [];
    const named = [...table.matchAll(/`([\w-]+\/[\w/.-]+)`/g)].map(([, file]) => file ?? '');
    const files = [...new Set(named)].filter((file) => file !== 'src/');
    expect(files.filter((file) => !existsSync(join(root, 'src', `${file}.ts`)))).toEqual([]);
    expect(files.length).toBeGreaterThan(20);
    expect(files.length).toBeLessThanOrEqual(30);
  });

  it('docs/contract.md speaks of every route', () => {
    const { paths } = openApiDocument() as { readonly paths: Readonly<Record<string, object>> };
    const contract = read('docs/contract.md');
    // The contract writes `activate | deactivate` and leaves out what lies between; nouns and verbs must be there.
    const words = Object.keys(paths).flatMap((path) => path.split('/').filter((part) => /^[a-z]/.test(part)));
    const unnamed = [...new Set(words)].filter((word) => !contract.includes(word));
    expect(unnamed).toEqual([]);
  });
});
