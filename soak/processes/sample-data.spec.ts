import { sample } from '../../src/sample/sample-ids.js';
import { toolFields } from '../../src/sample/account-agent.js';
import { newHome, type Home } from '../../test/e2e/home.js';
import { runToEnd, ServiceProcess } from '../../test/system/service-process.js';

interface Catalog {
  readonly catalogVersion: number;
  readonly skills: readonly { readonly name: string; readonly tools: readonly { readonly name: string }[] }[];
  readonly withheld: readonly { readonly toolName: string; readonly reason: string }[];
}

const { hostId, agentDefId, agentServiceId, envTag } = sample;
const claims = { host: hostId, sid: agentServiceId, env: envTag };
const query = `serviceId=${agentServiceId}&envTag=${envTag}`;
const catalogPath = `/agents/${agentDefId}/effective-catalog?${query}`;

describe('the sample data on the embedded database', () => {
  let home: Home;

  beforeEach(async () => {
    home = await newHome('embedded', true);
  });
  afterEach(async () => {
    await home.raze();
  });

  async function withService<T>(
    environment: NodeJS.ProcessEnv,
    work: (service: ServiceProcess) => Promise<T>,
  ): Promise<T> {
    const service = await ServiceProcess.start(home, environment);
    try {
      return await work(service);
    } finally {
      await service.stop('SIGTERM');
    }
  }

  async function catalogOf(service: ServiceProcess): Promise<Catalog> {
    const scope = 'catalog:read catalog:admin';
    const answer = await service.send(
      'GET',
      `${catalogPath}&withheld=true`,
      await service.token({ ...claims, scope }),
    );
    expect(answer.status).toBe(200);
    return JSON.parse(answer.text) as Catalog;
  }

  it('shows a working catalog at once, to the agent itself, and is loaded once', async () => {
    const first = await withService({ SAMPLE_DATA: 'on' }, async (service) => {
      const token = await service.token({ ...claims, scope: 'catalog:agent', agent_def_id: agentDefId });
      expect((await service.send('GET', catalogPath, token)).status).toBe(200);
      const reader = await service.token({ ...claims, scope: 'catalog:read' });
      const read = async (path: string): Promise<{ items: readonly Record<string, unknown>[] }> =>
        JSON.parse((await service.send('GET', path, reader)).text) as never;
      const [skill] = (await read('/skills')).items;
      expect(skill).toMatchObject({
        categories: ['customer-care'],
        tags: ['accounts', 'billing', 'metering'],
      });
      expect((await read(`/skills/${String(skill?.['skillId'])}/workflows`)).items).toMatchObject([
        { name: 'explain-bill', workflowRole: 'primary', lifecycleStatus: 'PUBLISHED', findings: [] },
      ]);
      return catalogOf(service);
    });
    expect(first.skills.map(({ name }) => name)).toEqual(['household-accounts']);
    expect(first.withheld).toEqual([
      expect.objectContaining({
        toolName: 'closeAccount',
        reason: 'destructive_tool_requires_approval_workflow',
      }),
      expect.objectContaining({ toolName: 'refundPayment', reason: 'sensitivity_tier_exceeds_policy' }),
    ]);
    const given = first.skills.flatMap(({ tools }) => tools.map(({ name }) => name));
    const withheld = first.withheld.map(({ toolName }) => toolName);
    expect([...given, ...withheld].sort()).toEqual(Object.keys(toolFields).sort());

    expect(await withService({ SAMPLE_DATA: 'on' }, catalogOf)).toEqual(first);
    expect((await runToEnd('cli.js', ['verify'], home)).code).toBe(0);
  });

  it('stays away where it is not wanted, and from a catalog that somebody has written to', async () => {
    const [off, taken] = [{ SAMPLE_DATA: 'off' }, { SAMPLE_DATA: 'on' }];
    await withService(off, async (service) => {
      expect((await service.send('GET', catalogPath, await service.token(claims))).status).toBe(404);
      const body = { name: 'mine', contentMarkdown: '# Mine' };
      const created = await service.send('POST', '/skills', await service.token(claims), { body });
      expect(created.status).toBe(201);
    });
    await withService(taken, async (service) => {
      expect((await service.send('GET', catalogPath, await service.token(claims))).status).toBe(404);
    });
  });
});
