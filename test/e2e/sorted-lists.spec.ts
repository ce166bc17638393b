import { readFileSync } from 'node:fs';
import { eachServer } from './server.js';

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: { readonly enum?: readonly string[] };
  }[];
}
interface Row {
  readonly position: number;
  readonly [member: string]: unknown;
}
interface Page {
  readonly items: readonly Row[];
  readonly nextCursor?: string;
}

const document = JSON.parse(readFileSync('openapi/portal-catalog.openapi.json', 'utf8')) as {
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>;
};
const ofHost = '/v1/hosts/{hostId}';
const lists = Object.entries(document.paths).flatMap(([path, { get }]) => {
  const sorts = get?.parameters?.find(({ name, in: place }) => name === 'sort' && place === 'query')?.schema
    .enum;
  return get === undefined || sorts === undefined
    ? []
    : [{ name: get.operationId, path: path.slice(ofHost.length), sorts }];
});

const names = ['b', 'Z', 'ä', 'a'];
const service = { serviceId: 'accounts', envTag: 'dev' };

eachServer((server) => {
  const send = async (method: string, path: string, body: object): Promise<void> => {
    const answer = await server().api(method, path, { body });
    expect({ path, status: answer.status, text: answer.status < 300 || answer.text }).toEqual({
      ...{ path, status: answer.status, text: true },
    });
  };

  beforeAll(async () => {
    for (const name of names) {
      await send('POST', '/skills', { name: `s${name}`, contentMarkdown: `# ${name}` });
      await send('POST', '/tags', { entityType: 'skill', tagName: `t${String(names.indexOf(name))}` });
      await send('POST', '/categories', {
        entityType: 'skill',
        categoryName: `c${String(names.indexOf(name))}`,
      });
    }
    const get = (name: string) => ({
      get: { operationId: name, responses: { '200': { description: 'x' } } },
    });
    const paths = { '/c': get('c'), '/a': get('a'), '/b': get('b') };
    for (const apiId of ['shop', 'bank']) {
      const description = { openapi: '3.1.0', info: { title: apiId, version: '1' }, paths };
      const version = { apiVersion: '1', ...service };
      await send('POST', '/imports', { api: { apiId }, version, document: description, publish: true });
    }
  });

  /** All rows of a list, two at a time. */
  const all = async (path: string, sort?: string): Promise<readonly Row[]> => {
    const rows: Row[] = [];
    let cursor: string | undefined;
    do {
      const asked = new URLSearchParams({ limit: '2', active: 'all', ...(sort && { sort }) });
      if (cursor !== undefined) asked.set('cursor', cursor);
      const { status, body } = await server().api<Page>('GET', `${path}?${String(asked)}`);
      expect({ path, sort, status }).toEqual({ path, sort, status: 200 });
      rows.push(...body.items);
      cursor = body.nextCursor;
    } while (cursor !== undefined);
    return rows;
  };

  it('names the lists that people read', () => {
    expect(lists.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'listTools',
        'listEndpoints',
        'listSkills',
        'listAgentDefinitions',
        'listApis',
      ]),
    );
  });

  it.each(lists.filter(({ path }) => !path.includes('{')))(
    '$name is sorted by its text and by the last change, from either end',
    async ({ path, sorts }) => {
      const [text = '', , changed = '', lately = ''] = sorts;
      const usual = await all(path);
      expect(await all(path, text)).toEqual(usual);
      expect(await all(path, `-${text}`)).toEqual([...usual].reverse());
      const positions = usual.map(({ position }) => position).sort((one, other) => one - other);
      const byChange = await all(path, changed);
      expect(byChange.map(({ position }) => position)).toEqual(positions);
      expect(await all(path, lately)).toEqual([...byChange].reverse());
    },
  );

  it('refuses what a list is not sorted by', async () => {
    const answer = await server().api('GET', '/tools?sort=description');
    expect([answer.status, answer.body['code']]).toEqual([400, 'invalid_query']);
  });
});
