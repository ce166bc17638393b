import { v7 } from 'uuid';
import { ScriptedGateway } from './gateway-servers.js';
import {
  fresh,
  guardsWorld,
  poison,
  service,
  type Endpoint,
  type Report,
  type Tool,
  override,
} from './guards-world.js';
import { eachServer } from './server.js';

interface Accepted {
  readonly items: readonly { readonly toolId: string; readonly endpointId: string }[];
}

const tool = (name: string, more: object = {}) => ({
  ...{ name, description: `Does ${name}.`, inputSchema: { type: 'object' } },
  ...{ annotations: { readOnlyHint: false, destructiveHint: true }, ...more },
});
const harmless = { annotations: { readOnlyHint: true, destructiveHint: false } };
const guards = ['safety.destructive', 'safety.readOnly'];

eachServer((server) => {
  const { ask, refusal, agentWith, catalogOf, writer, approve } = guardsWorld(server);
  let gateway: ScriptedGateway;
  beforeAll(async () => {
    gateway = await ScriptedGateway.start();
  });
  afterAll(() => gateway.stop());

  const driftOf = async (gatewayId: string) => {
    const path = `/gateways/${gatewayId}/drift`;
    const { items } = await ask<{ items: { toolName: string; finding: string }[] }>('GET', path);
    return items
      .filter(({ finding }) => !['in_sync', 'policy_blocked'].includes(finding))
      .map(({ toolName, finding }) => ({ toolName, finding }));
  };
  /** As only an administrator may. */
  const acceptAll = async (gatewayId: string): Promise<Accepted['items']> => {
    const findings = await driftOf(gatewayId);
    const path = `/gateways/${gatewayId}/drift/accept`;
    expect(await refusal('POST', path, { findings })).toEqual([403, 'insufficient_scope']);
    return (await ask<Accepted>('POST', path, { findings })).items;
  };
  /** A gateway that lists a destructive tool, which the catalog has from it alone. */
  const known = async () => {
    const [name, gatewayId] = [fresh('tool'), v7()];
    gateway.tools = [tool(name)];
    await ask('PUT', `/gateways/${gatewayId}`, {
      ...{ ...service, serviceId: fresh('gateway') },
      url: gateway.url,
    });
    const [taken] = await acceptAll(gatewayId);
    return { name, gatewayId, toolId: taken?.toolId ?? '', endpointId: taken?.endpointId ?? '' };
  };

  it('text that addresses the model is withheld, also where an administrator takes it over from a gateway', async () => {
    const { name, gatewayId } = await known();
    gateway.tools = [tool(name, { description: poison }), tool(fresh('tool'), { description: poison })];
    expect((await driftOf(gatewayId)).map(({ finding }) => finding).sort()).toEqual([
      'description_changed',
      'not_in_catalog',
    ]);
    for (const { toolId } of await acceptAll(gatewayId)) {
      const agent = await agentWith([toolId], { approvalWorkflow: 'ops/any' });
      // The known one is given as it was before, as far as its guards let it.
      const { given, withheld } = await catalogOf(agent);
      expect(JSON.stringify(given)).not.toContain('Ignore all previous');
      expect(withheld).toEqual([
        expect.stringMatching(/^(version_not_approved|destructive_tool_requires_approval_workflow)$/),
      ]);
      expect(await ask<Tool>('GET', `/tools/${toolId}`)).toMatchObject({ change: { grade: 'suspicious' } });
      const accept = `/tools/${toolId}/changes/accept`;
      expect(await refusal('POST', accept)).toEqual([403, 'insufficient_scope']);
      await approve(accept, override);
      expect((await catalogOf(agent)).withheld).not.toContain('version_not_approved');
    }
  });

  it('a guard stays where a writer brings what a gateway lists, until an administrator accepts it', async () => {
    const { name, toolId, endpointId } = await known();
    const { apiVersionId } = await ask<{ apiVersionId: string }>('GET', `/endpoints/${endpointId}`);
    const safetyOf = async () => {
      const { toolMetadata, changed } = await ask<Endpoint>('GET', `/endpoints/${endpointId}`);
      return [toolMetadata.safety['destructive'], toolMetadata.safety['readOnly'], changed];
    };
    const body = { document: { tools: [tool(name, harmless)] }, layer: 'gateway' };
    const { items } = await ask<Report>('POST', `/api-versions/${apiVersionId}/imports`, body, writer());
    expect(items).toMatchObject([{ endpointId, held: guards }]);
    expect(await safetyOf()).toEqual([true, false, true]);
    for (const path of [`/tools/${toolId}`, `/endpoints/${endpointId}`])
      expect(await refusal('POST', `${path}/changes/accept`)).toEqual([403, 'insufficient_scope']);
    await approve(`/tools/${toolId}/changes/accept`, override);
    expect(await safetyOf()).toEqual([false, true, false]);
  });
});
