import { DATABASE, type Database } from '../../src/kernel/sql.js';
import { developmentClaims } from '../../src/development-claims.js';
import { agents, makeScaleHost, type ScaleHost } from '../../bench/scale-world.js';
import { describeUnless } from '../../test/unless.js';
import { lacking, PortalBrowser } from '../../test/system/portal-browser.js';

const scale = { tools: 100_000, toolsEach: 100, skillsEach: 20 };
/**
 * Most bytes of what a screen is answered: 25 rows, or one record with what belongs to it. The catalog of an agent is shown as
 * the agent gets it, which is one document whatever its size.
 */
const MAX_BYTES = 400_000;
const MAX_REQUESTS = 6;

interface Answered {
  readonly url: string;
  readonly bytes: number;
}

describeUnless(lacking, 'the portal on a host with 100,000 tools, 1,000 skills and 1,000 agents', () => {
  let portal: PortalBrowser;
  let host: ScaleHost;
  let answered: Promise<Answered>[] = [];

  beforeAll(async () => {
    portal = await PortalBrowser.open({ SAMPLE_DATA: 'off' });
    const { app } = portal.server;
    const hostId = developmentClaims.host;
    const token = await portal.server.token({ host: hostId, env: ['dev'] });
    const ask = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
      const address = `//v1/hosts/${hostId}${path}`;
      const answer = await portal.server.api(method, address, {
        token,
        ...(body !== undefined && { body: body as object }),
      });
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
      return answer.body as Answer;
    };
    host = await makeScaleHost(app.get<Database>(DATABASE), hostId, ask, scale);
    await portal.signIn();
    portal.page.on('response', (response) => {
      const url = response.url();
      if (!url.includes('/v1/') || url.includes('/events/stream')) return;
      const size = response.body().then(
        (body) => ({ url, bytes: body.length }),
        () => ({ url, bytes: 0 }),
      );
      answered.push(size);
    });
  });
  afterAll(() => portal.close());

  const screens = (): readonly string[] => {
    const [agent = ''] = host.agentDefIds;
    return [
      ...['/', '/desk', '/tools', '/tools?q=getThing99', '/tools?sort=-updateTs', '/endpoints', '/skills'],
      ...['/skills?q=Skill 99', '/agents', '/agents?q=agent-99', '/gateways', '/workflows', '/taxonomy'],
      ...['/webhooks', '/log', '/settings', '/search', '/graph', '/import', '/skills/new', '/agents/new'],
      ...[`/tools/${host.toolId}`, `/agents/${agent}`, `/agents/${agent}?tab=assignment`],
    ];
  };

  it('is as large as it says', async () => {
    const { asOwner } = portal.server.app.get<Database>(DATABASE);
    const counted = await asOwner.query<{ tools: number; skills: number; agents: number }>(
      `SELECT (SELECT count(*) FROM tool_t)::int AS tools, (SELECT count(*) FROM skill_t)::int AS skills,
              (SELECT count(*) FROM agent_definition_t)::int AS agents`,
    );
    expect(counted).toEqual([{ tools: scale.tools, skills: scale.tools / scale.toolsEach, agents }]);
  });

  it('asks at most six times for a screen, and loads all of nothing', async () => {
    const wrong: string[] = [];
    for (const screen of screens()) {
      answered = [];
      await portal.go(screen);
      const all = await Promise.all(answered);
      const counted = all.filter(({ url }) => !url.includes('/effective-catalog?'));
      const bytes = counted.reduce((sum, each) => sum + each.bytes, 0);
      if (all.length > MAX_REQUESTS || bytes > MAX_BYTES)
        wrong.push(
          `${screen}: ${String(all.length)} requests, ${String(bytes)} bytes: ${all.map(({ url }) => url).join(' ')}`,
        );
    }
    expect(wrong).toEqual([]);
  });

  it('finds one of them by its name, and goes from page to page', async () => {
    await portal.go('/tools?q=getThing99999');
    await portal.link('getThing99999').waitFor();
    await portal.go('/tools');
    await portal.button('Next').click();
    await portal.page.waitForURL(/page=2/);
    await portal.page.getByText('Page 2', { exact: true }).waitFor();
    await portal.page.reload();
    await portal.page.getByText('Page 2', { exact: true }).waitFor();
  });
});
