import {
  guardsWorld,
  fresh,
  lightapi,
  openapi,
  service,
  type Endpoint,
  type Report,
  override,
} from './guards-world.js';
import { eachServer } from './server.js';

const strict = { sensitivityTier: 'restricted', readOnly: false };
const strictSafety = { destructive: true, requiresConfirmation: true };
const loose = { sensitivityTier: 'public', readOnly: true, approvalWorkflow: 'ops/any' };
const looseSafety = { destructive: false, requiresConfirmation: false };
const guards = [
  'routing.sensitivityTier',
  'safety.approvalWorkflow',
  'safety.destructive',
  'safety.humanApprovalRequired',
  'safety.readOnly',
];

eachServer((server) => {
  const { ask, refusal, bring, toolOf, agentWith, catalogOf, writer, approve } = guardsWorld(server);

  describe('quarantine', () => {
    beforeAll(() => ask('PUT', '/settings', { quarantine: true }));
    afterAll(() => ask('PUT', '/settings', { quarantine: false }));

    it('is how API versions are made where the host says so, and its end is the administrator’s', async () => {
      const apiId = fresh('quarantined');
      const { apiVersionId } = await bring(apiId, openapi({ [fresh('op')]: {} }), {}, writer());
      const path = `/api-versions/${apiVersionId}`;
      expect(await ask('GET', path)).toMatchObject({ quarantine: true });
      expect(await refusal('PATCH', path, { quarantine: false })).toEqual([403, 'insufficient_scope']);
      const other = { apiVersion: '2', apiType: 'openapi', ...service, quarantine: false };
      const versions = `/apis/${apiId}/versions`;
      expect(await refusal('POST', versions, other)).toEqual([403, 'insufficient_scope']);
      expect(await refusal('POST', versions, { ...other, spec: openapi({ a: {} }) })).toEqual([
        403,
        'insufficient_scope',
      ]);
      expect(await refusal('PUT', '/settings', { quarantine: false })).toEqual([403, 'insufficient_scope']);
      expect(await refusal('PATCH', path, { quarantine: true })).toEqual([200, undefined]);
      expect(await ask('GET', path)).toMatchObject({ quarantine: true });
      await ask('PATCH', path, { quarantine: false });
      expect(await ask('GET', path)).toMatchObject({ quarantine: false });
      expect(await refusal('PATCH', path, { quarantine: true })).toEqual([200, undefined]);
    });

    it('is switched off for a host by its setting, for versions made from then on', async () => {
      expect(await ask('PUT', '/settings', { quarantine: false })).toMatchObject({ quarantine: false });
      const { apiVersionId } = await bring(fresh('open'), openapi({ [fresh('op')]: {} }), {}, writer());
      expect(await ask('GET', '/settings')).toMatchObject({ quarantine: false, commandTools: false });
      await ask('PUT', '/settings', { quarantine: true });
      expect(await ask('GET', `/api-versions/${apiVersionId}`)).toMatchObject({ quarantine: false });
    });

    it('withholds breaking changes, and lets harmless ones through', async () => {
      const [apiId, op] = [fresh('changing'), fresh('op')];
      await bring(apiId, openapi({ [op]: {} }), { publish: true });
      const { toolId } = await toolOf(apiId);
      const agent = await agentWith([toolId]);
      const harmless = await bring(apiId, openapi({ [op]: { summary: 'Does it well.' } }), {}, writer());
      expect(harmless.withheld).toEqual([]);
      expect((await catalogOf(agent)).given).toMatchObject([{ name: op, description: 'Does it well.' }]);
      const parameters = [{ name: 'day', in: 'query', required: true, schema: { type: 'string' } }];
      const breaking = openapi({ [op]: { parameters } });
      const expected = [{ toolId, toolName: op, grade: 'breaking', fields: ['inputSchema'] }];
      const dry = await bring(apiId, breaking, { dryRun: true }, writer());
      expect(dry.withheld).toMatchObject([{ toolId, toolName: op, grade: 'breaking' }]);
      const { withheld } = await bring(apiId, breaking, {}, writer());
      expect(withheld).toMatchObject([
        { ...expected[0], fields: expect.arrayContaining(['inputSchema']) as unknown },
      ]);
      expect((await bring(apiId, breaking, {}, writer())).withheld).toEqual(withheld);
      expect(await catalogOf(agent)).toEqual({ given: [], withheld: ['change_not_accepted'] });
      await approve(`/tools/${toolId}/changes/accept`, override);
      expect((await catalogOf(agent)).given).toMatchObject([{ name: op }]);
    });
  });

  describe('a guard', () => {
    /** Ways of a document into an API version. */
    const doors: Record<string, (apiId: string, apiVersionId: string, document: object) => Promise<Report>> =
      {
        'POST imports': (apiId, _, document) => bring(apiId, document, {}, writer()),
        'POST imports of the version': (_, id, document) =>
          ask('POST', `/api-versions/${id}/imports`, { document }, writer()),
        'its layer alone': (_, id, document) =>
          ask('POST', `/api-versions/${id}/imports`, { document, layer: 'lightapi_endpoint' }, writer()),
        'PATCH with a spec': async (_, id, spec) =>
          (await ask<{ import: Report }>('PATCH', `/api-versions/${id}`, { spec }, writer())).import,
      };

    it.each(Object.keys(doors))('stays, whatever a writer’s document loosens: %s', async (door) => {
      const [apiId, op] = [fresh('guarded'), fresh('op')];
      const source = openapi({ [op]: {} });
      const { apiVersionId } = await bring(apiId, source, { publish: true });
      const path = `/api-versions/${apiVersionId}`;
      await ask('POST', `${path}/imports`, { document: lightapi(op, strict, strictSafety) });
      await ask('PATCH', path, { quarantine: false });
      const { toolId, ...tool } = await toolOf(apiId);
      await approve(`/tools/${toolId}/changes/accept`, override);
      const before = tool.toolMetadata;
      const brings = doors[door];
      if (brings === undefined) throw new Error('no such door');
      const document = lightapi(op, loose, looseSafety);
      const { items, withheld } = await brings(apiId, apiVersionId, document);
      const [item] = items.filter(({ held }) => held.length > 0);
      expect(item?.held).toEqual(guards);
      expect(withheld).toEqual([]);
      const endpoint = await ask<Endpoint>('GET', `/endpoints/${item?.endpointId ?? ''}`);
      expect(endpoint.toolMetadata.safety).toEqual(before.safety);
      expect(endpoint.toolMetadata.routing['sensitivityTier']).toBe('restricted');
      expect(endpoint).toMatchObject({ changed: true, provenance: { 'safety.destructive': 'held' } });
      const marked = await toolOf(apiId);
      expect(marked.toolMetadata.safety).toEqual(before.safety);
      expect(marked.change).toMatchObject({
        grade: 'suspicious',
        before: { 'safety.destructive': true, 'safety.approvalWorkflow': null },
        after: { 'safety.destructive': false, 'routing.sensitivityTier': 'public' },
      });
      const [ofTool, ofEndpoint] = [`/tools/${toolId}`, `/endpoints/${item?.endpointId ?? ''}`];
      for (const path of [ofTool, ofEndpoint])
        expect(await refusal('POST', `${path}/changes/accept`)).toEqual([403, 'insufficient_scope']);
      for (const path of [ofTool, ofEndpoint]) {
        const clears = { safety: { destructive: false } };
        expect(await refusal('PATCH', path, clears)).toEqual([403, 'insufficient_scope']);
      }
      await approve(`${ofTool}/changes/accept`, override);
      const accepted = await ask<Endpoint>('GET', ofEndpoint);
      expect(accepted).toMatchObject({
        changed: false,
        provenance: { 'safety.destructive': 'lightapi_endpoint' },
        toolMetadata: {
          routing: { sensitivityTier: 'public' },
          safety: {
            ...{ destructive: false, humanApprovalRequired: false },
            readOnly: true,
            approvalWorkflow: 'ops/any',
          },
        },
      });
      expect(accepted.layers.held).toBeUndefined();
      expect(await toolOf(apiId)).toMatchObject({
        change: null,
        toolMetadata: { safety: { readOnly: true } },
      });
    });

    it.each(['with', 'without'])(
      'that a document turns is the administrator’s to accept at the endpoint’s door, %s a tool',
      async (tool) => {
        const [apiId, op] = [fresh('turned'), fresh('op')];
        const publish = tool === 'with';
        const { apiVersionId, items } = await bring(apiId, openapi({ [op]: {} }), { publish });
        const path = `/endpoints/${items[0]?.endpointId ?? ''}`;
        const says = (destructive: boolean, summary = 'Does it.') => {
          const document = lightapi(op, {}, { destructive });
          Object.assign(document.operations[op] ?? {}, { description: summary });
          return ask('POST', `/api-versions/${apiVersionId}/imports`, { document }, writer());
        };
        await says(false);
        await says(false, 'Does it well.');
        expect(await refusal('POST', `${path}/changes/accept`)).toEqual([200, undefined]);
        await says(true);
        expect(await ask('GET', path)).toMatchObject({ changed: true });
        expect(await refusal('POST', `${path}/changes/accept`)).toEqual([403, 'insufficient_scope']);
        await ask('POST', `${path}/changes/accept`, {});
        expect(await ask('GET', path)).toMatchObject({ changed: false });
        await says(true, 'Does it best.');
        expect(await refusal('POST', `${path}/changes/accept`)).toEqual([200, undefined]);
      },
    );

    it('of a document is loosened at once by an administrator’s, and stays where the writer’s goes back', async () => {
      const [apiId, op] = [fresh('guarded'), fresh('op')];
      const guarded = openapi({ [op]: { 'x-openai-isConsequential': true } });
      const bare = openapi({ [op]: {} });
      await bring(apiId, guarded, { publish: true });
      expect((await bring(apiId, bare, {}, writer())).items).toMatchObject([
        { held: ['safety.humanApprovalRequired'] },
      ]);
      expect((await bring(apiId, guarded, {}, writer())).items).toMatchObject([{ held: [] }]);
      expect(await toolOf(apiId)).toMatchObject({ change: null, changed: false });
      expect((await bring(apiId, bare)).items).toMatchObject([{ held: [] }]);
      expect(await toolOf(apiId)).toMatchObject({
        toolMetadata: { safety: { humanApprovalRequired: false } },
      });
    });

    it('and quarantine keep a writer from serving what an administrator guarded', async () => {
      const [apiId, op] = [fresh('guarded'), fresh('op')];
      const { apiVersionId } = await bring(apiId, openapi({ [op]: { 'x-openai-isConsequential': true } }), {
        publish: true,
      });
      await ask('PATCH', `/api-versions/${apiVersionId}`, { quarantine: true });
      const { toolId } = await toolOf(apiId);
      const agent = await agentWith([toolId]);
      expect(await catalogOf(agent)).toEqual({ given: [], withheld: ['approval_required_missing_workflow'] });
      await ask(
        'POST',
        `/api-versions/${apiVersionId}/imports`,
        { document: openapi({ [op]: {} }) },
        writer(),
      );
      await refusal('POST', `/tools/${toolId}/changes/accept`);
      await refusal('PATCH', `/api-versions/${apiVersionId}`, { quarantine: false });
      expect(await catalogOf(agent)).toEqual({ given: [], withheld: ['change_not_accepted'] });
      await ask('PATCH', `/api-versions/${apiVersionId}`, { quarantine: false });
      expect(await catalogOf(agent)).toEqual({ given: [], withheld: ['approval_required_missing_workflow'] });
    });
  });
});
