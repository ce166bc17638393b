import { fresh, guardsWorld, lightapi, openapi, override, poison, service } from './guards-world.js';
import { answersAtDoors, type Names } from './reading-doors.js';
import { eachServer } from './server.js';

/** Stands in every text that addresses the model here, and in no other. */
const speaks = /ignore all previous/i;
/** Stands in texts that address nobody. */
const plain = 'Zzplain';

/** Says `text` in all that a document says of an operation. */
const document = (op: string, text: string) => ({
  ...openapi({
    [op]: {
      ...{ operationId: `${op} ${text}`, tags: [text, plain], summary: text, description: text },
      parameters: [{ name: 'day', in: 'query', description: text, schema: { type: 'string', enum: [text] } }],
      security: [{ oauth: ['shop:read'] }],
      responses: {
        200: {
          description: text,
          content: { 'application/json': { schema: { type: 'object', description: text } } },
        },
      },
    },
  }),
  components: {
    securitySchemes: {
      oauth: {
        type: 'oauth2',
        flows: {
          clientCredentials: { tokenUrl: 'https://shop.example/token', scopes: { 'shop:read': text } },
        },
      },
    },
  },
});

/** What a second document says of the same operation. */
const routing = (text: string) => ({
  ...{ domain: text, semanticNamespace: text, category: text, semanticDescription: text },
  ...{ semanticKeywords: [text, plain], targetPersonas: [text, 'zzclerk'], costTier: text },
});

eachServer((server) => {
  const { ask, approve, bring, agentWith, writer } = guardsWorld(server);

  interface World {
    readonly names: Names;
    readonly op: string;
  }

  /** Imports an operation, and says whose eyes look at it. */
  async function world(how: How): Promise<World> {
    const [apiId, op] = [fresh('redacted'), fresh('zztoldop')];
    const publish = how !== 'without a tool';
    const first = await bring(
      apiId,
      how === 'with a tool whose next version waits' ? document(op, plain) : document(op, poison),
      { publish },
      writer(),
    );
    const { apiVersionId } = first;
    if (how === 'with a tool whose next version waits')
      await bring(apiId, document(op, poison), {}, writer());
    const plainLayer = lightapi(op, routing(poison), {});
    const said = { description: poison, agent: { skill: { notes: poison } } };
    const operation = { ...plainLayer.operations[op], ...said, operationId: `${op} ${poison}` };
    const layer = { ...plainLayer, operations: { [op]: operation } };
    await ask('POST', `/api-versions/${apiVersionId}/imports`, { document: layer }, writer());
    const tools = await ask<{ items: { toolId: string; name: string }[] }>('GET', `/tools?apiId=${apiId}`);
    const toolId = tools.items[0]?.toolId;
    const other = fresh('harmless');
    await bring(other, openapi({ [other]: {} }), { publish: true }, writer());
    const beside = await ask<{ items: { toolId: string }[] }>('GET', `/tools?apiId=${other}`);
    const agentDefId = await agentWith([...tools.items, ...beside.items].map((tool) => tool.toolId));
    const skills = await ask<{ items: { skillId: string }[] }>('GET', `/agents/${agentDefId}/skills`);
    const names = {
      ...{ apiId, apiVersionId, agentDefId, endpointId: first.items[0]?.endpointId ?? '', envTag: 'dev' },
      ...{ serviceId: 'desk', skillId: skills.items[0]?.skillId ?? '', version: '1.0.0', paramName: 'day' },
      ...(toolId !== undefined && { toolId, toolName: tools.items[0]?.name ?? '' }),
      ...{ language: 'typescript', format: 'json' },
    };
    return { names, op };
  }

  const hows = ['without a tool', 'with a tool that waits', 'with a tool whose next version waits'] as const;
  type How = (typeof hows)[number];
  const readers = {
    'a token of a tier': () => ({ maxSensitivityTier: 'internal' }),
    'an agent': ({ names }: World) => ({ agent_def_id: names['agentDefId'] }),
  };

  describe.each(hows)('what a document says to the model of an endpoint %s', (how) => {
    let made: World;
    beforeAll(async () => {
      made = await world(how);
    });

    it.each(Object.keys(readers) as (keyof typeof readers)[])('is told at no door to %s', async (reader) => {
      const claims = { sid: ['desk', service.serviceId], ...readers[reader](made) };
      const token = await server().token({ ...claims, scope: 'catalog:read catalog:write catalog:admin' });
      const prompts = [made.op, plain, 'instructions tool first'] as const;
      const answers = await answersAtDoors(server(), { names: made.names, token, prompts });
      const telling = [...answers].filter(([, text]) => speaks.test(text)).map(([door]) => door);
      expect(telling).toEqual([]);
      if (reader === 'an agent' && how !== 'with a tool whose next version waits') return;
      const finding = [...answers].filter(([, text]) => text.includes(made.op)).map(([door]) => door);
      const known = ['GET /endpoints', 'POST /graph/query', 'POST /search'];
      const plainly = [...answers.values()].filter((text) => text.includes(plain));
      for (const door of known) expect(finding).toContainEqual(expect.stringContaining(door));
      expect(plainly.length).toBeGreaterThan(2);
    });

    it('is told to who reviews', async () => {
      const { text } = await server().api('GET', `/endpoints/${made.names['endpointId'] ?? ''}`);
      expect(text).toMatch(speaks);
    });
  });

  it('what a review of its tool has accepted is told, where the endpoint is read and where it is found', async () => {
    const [apiId, op] = [fresh('accepted'), fresh('zzacceptedop')];
    const report = await bring(apiId, openapi({ [op]: { summary: poison } }), { publish: true }, writer());
    const claims = { sid: service.serviceId, maxSensitivityTier: 'internal', scope: 'catalog:read' };
    const token = await server().token(claims);
    interface Answer {
      readonly description?: string;
      readonly items?: readonly { readonly description: string }[];
    }
    const seen = async () => {
      const one = await ask<Answer>(
        'GET',
        `/endpoints/${report.items[0]?.endpointId ?? ''}`,
        undefined,
        token,
      );
      const found = await ask<Answer>('POST', '/search', { prompt: op, kinds: ['endpoint'] }, token);
      return [one.description, found.items?.[0]?.description];
    };
    expect(await seen()).toEqual(['', '']);
    await approve(`/tools/${report.withheld[0]?.toolId ?? ''}/changes/accept`, override);
    expect(await seen()).toEqual([poison, poison]);
  });

  describe('readers who are not told a text', () => {
    const secret = 'zzsecret';
    const saying = (op: string, text: string) => {
      const layer = lightapi(op, { ...routing(text), semanticKeywords: [], costTier: 'low' }, {});
      const operation = { ...layer.operations[op], description: `Does ${text}.` };
      return { ...layer, operations: { [op]: operation } };
    };
    const filters: readonly (readonly [name: string, value: string])[] = [
      ['q', secret],
      ['domain', secret],
      ['semanticNamespace', secret],
      ['category', secret],
      ['persona', secret],
    ];
    /** How many they find by each filter: who reviews, and who sees what agents do. */
    const foundBy = async (list: string, apiId: string, asked: typeof filters) => {
      const token = await server().token({
        ...{ sid: service.serviceId, maxSensitivityTier: 'internal', scope: 'catalog:read' },
      });
      const found: Record<string, readonly number[]> = {};
      for (const [name, value] of asked) {
        const path = `/${list}?${new URLSearchParams({ apiId, [name]: value }).toString()}`;
        const seen = await ask<{ items?: unknown[]; total?: number }>('GET', path);
        const shown = await ask<{ items?: unknown[]; total?: number }>('GET', path, undefined, token);
        found[name] = [seen, shown].map(({ items, total }) => items?.length ?? total ?? -1);
      }
      return found;
    };
    const each = (asked: typeof filters, counts: readonly number[]) =>
      Object.fromEntries(asked.map(([name]) => [name, counts]));

    afterEach(() => ask('PUT', '/settings', { autoApprove: true }));

    it('find nothing by a text that waits', async () => {
      const [apiId, op] = [fresh('waiting'), fresh('op')];
      const { apiVersionId } = await bring(apiId, openapi({ [op]: {} }), { publish: true }, writer());
      const path = `/api-versions/${apiVersionId}/imports`;
      await ask('POST', path, { document: saying(op, 'zzknown') }, writer());
      await ask('PUT', '/settings', { autoApprove: false });
      await ask('POST', path, { document: saying(op, secret) }, writer());
      for (const list of ['endpoints', 'endpoints/facets'])
        expect([list, await foundBy(list, apiId, filters)]).toEqual([list, each(filters, [1, 0])]);
      const known = filters.map(([name]) => [name, 'zzknown'] as const);
      for (const list of ['endpoints', 'endpoints/facets'])
        expect([list, await foundBy(list, apiId, known)]).toEqual([list, each(known, [0, 1])]);
      expect(await foundBy('tools', apiId, known)).toEqual(each(known, [1, 1]));
    });

    it('find no tool by what its first version says, while that waits', async () => {
      const [apiId, op] = [fresh('waiting'), fresh('op')];
      const { apiVersionId } = await bring(apiId, openapi({ [op]: {} }), {}, writer());
      const document = saying(op, secret);
      await ask('POST', `/api-versions/${apiVersionId}/imports`, { document }, writer());
      await ask('PUT', '/settings', { autoApprove: false });
      await ask('POST', '/tools/publish', { filter: { apiVersionId } }, writer());
      for (const list of ['tools', 'endpoints', 'endpoints/facets'])
        expect([list, await foundBy(list, apiId, filters)]).toEqual([list, each(filters, [1, 0])]);
    });

    it('find no tool by notes beside it that address the model', async () => {
      const [apiId, op] = [fresh('noted'), fresh('op')];
      const { apiVersionId } = await bring(apiId, openapi({ [op]: {} }), { publish: true }, writer());
      const noting = (notes: string) => {
        const layer = lightapi(op, {}, {});
        const operation = { ...layer.operations[op], agent: { skill: { notes } } };
        return { document: { ...layer, operations: { [op]: operation } } };
      };
      const foundBy = async (prompt: string) => {
        const { items } = await ask<{ items: unknown[] }>('POST', '/search', { prompt, kinds: ['tool'] });
        return items.length;
      };
      const path = `/api-versions/${apiVersionId}/imports`;
      await ask('POST', path, noting('zzquokka.'), writer());
      expect(await foundBy('zzquokka')).toBe(1);
      await ask('POST', path, noting(`zzwombat. ${poison}`), writer());
      expect([await foundBy('zzquokka'), await foundBy('zzwombat')]).toEqual([0, 0]);
    });

    it('find nothing by a tag that addresses the model', async () => {
      const [apiId, op] = [fresh('tagged'), fresh('op')];
      await bring(apiId, openapi({ [op]: {} }), { publish: true }, writer());
      await bring(apiId, openapi({ [op]: { tags: [poison, plain] } }), {}, writer());
      const tags = [['tag', poison]] as const;
      for (const list of ['endpoints', 'endpoints/facets', 'tools']) {
        expect([list, await foundBy(list, apiId, tags)]).toEqual([list, { tag: [1, 0] }]);
        expect([list, await foundBy(list, apiId, [['tag', plain]])]).toEqual([list, { tag: [1, 1] }]);
      }
    });
  });
});
