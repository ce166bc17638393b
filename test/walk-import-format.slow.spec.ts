import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const node = (folder: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, args, { cwd: folder, env: { ...process.env, NODE_OPTIONS: '' } });

/** The file that the walk of CONTRIBUTING.md writes. */
function writtenInTheWalk(): string {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const [, walk = ''] = text.split('### A new import format');
  const [, code = ''] = /```ts\n(.*?)```/s.exec(walk) ?? [];
  return code;
}

/** Reads a document of the new format, and says where else the format is known. */
const look = `
  import { apiVersionCreated } from './dist/src/endpoints/api-version.events.js';
  import { nodeTypes } from './dist/src/graph/ontology.nodes.js';
  import { importOptions } from './dist/src/importers/import.schemas.js';
  import { readDescription } from './dist/src/formats/read-description.js';
  const { format, offers } = await readDescription({ routes: ['GET /a/{id}'] }, { format: 'auto' });
  const refused = await readDescription({ other: [] }, { format: 'auto' }).catch(({ detail }) => detail);
  console.log(JSON.stringify({
    format,
    offered: offers.map(({ endpoint, facts }) => [endpoint, JSON.parse(facts).name]),
    ofEvents: apiVersionCreated.schema.properties.apiType.enum.includes('routes'),
    ofRequests: importOptions.properties.format.enum.includes('routes'),
    ofTheGraph: JSON.stringify(nodeTypes).includes('"routes"'),
    lookedFor: refused.includes('lists of routes'),
  }));
`;

describe('the walk “a new import format”', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'walk-'));
    for (const part of ['src', 'packages', 'package.json', 'tsconfig.json'])
      cpSync(join(root, part), join(folder, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('takes its folder and its place in the list: it compiles, is read, and is known everywhere', async () => {
    mkdirSync(join(folder, 'src/formats/routes'));
    writeFileSync(join(folder, 'src/formats/routes/format.ts'), writtenInTheWalk());
    const list = join(folder, 'src/formats/formats.ts');
    const text = readFileSync(list, 'utf8').replace(
      'export const formats = [',
      'export const formats = [routes, ',
    );
    writeFileSync(list, `import { routes } from './routes/format.js';\n${text}`);
    const files = [
      ...['src/formats/read-description.ts', 'src/importers/import.routes.ts'],
      ...['src/graph/ontology.nodes.ts', 'src/cli/import.command.ts'],
    ];
    writeFileSync(
      join(folder, 'walk.json'),
      JSON.stringify({ extends: './tsconfig.json', files, include: [] }),
    );
    await node(folder, 'node_modules/typescript/bin/tsc', '-p', 'walk.json');

    const { stdout } = await node(folder, '--input-type=module', '--eval', look);
    expect(JSON.parse(stdout)).toEqual({
      format: 'routes',
      offered: [['/a/{id}@get', 'get_a_id']],
      ...{ ofEvents: true, ofRequests: true, ofTheGraph: true, lookedFor: true },
    });
  });
});
