import { ScratchCopy, writtenIn } from './walk.js';

/** Reads a document of the new format, and says where else the format is known. */
const look = `
  import { apiVersion } from './dist/src/endpoints/api-version/api-version.record.js';
  import { nodeTypes } from './dist/src/graph/ontology.nodes.js';
  import { importOptions } from './dist/src/importers/import.schemas.js';
  import { readDescription } from './dist/src/formats/read-description.js';
  const { format, offers } = await readDescription({ routes: ['GET /a/{id}'] }, { format: 'auto' });
  const refused = await readDescription({ other: [] }, { format: 'auto' }).catch(({ detail }) => detail);
  console.log(JSON.stringify({
    format,
    offered: offers.map(({ endpoint, facts }) => [endpoint, JSON.parse(facts).name]),
    ofEvents: apiVersion.spec.fixed.apiType.stored.enum.includes('routes'),
    ofRequests: importOptions.properties.format.enum.includes('routes'),
    ofTheGraph: JSON.stringify(nodeTypes).includes('"routes"'),
    lookedFor: refused.includes('lists of routes'),
  }));
`;

describe('the walk “a new import format”', () => {
  const copy = new ScratchCopy();
  afterAll(() => {
    copy.remove();
  });

  it('takes its folder and its place in the list: it compiles, is read, and is known everywhere', async () => {
    const [format = ''] = writtenIn('A new import format');
    const list = 'src/formats/formats.ts';
    copy.write('src/formats/routes/format.ts', format);
    copy.insert(list, 'export const formats = [', 'routes, ');
    copy.insert(
      list,
      "import type { Format } from './format.js';\n",
      "import { routes } from './routes/format.js';\n",
    );
    expect(await copy.run(look, 'src/importers/import.routes.ts', 'src/cli/import.command.ts')).toEqual({
      format: 'routes',
      offered: [['/a/{id}@get', 'get_a_id']],
      ...{ ofEvents: true, ofRequests: true, ofTheGraph: true, lookedFor: true },
    });
  });
});
