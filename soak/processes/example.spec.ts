import { AgentClient } from '../../packages/agent-client/agent-client.js';
import { Program } from '../../test/system/service-process.js';

describe('the example of an account agent', () => {
  it('stays, where it is asked to, for an agent of one’s own, which connects with what it prints', async () => {
    const example = new Program('../examples/account-agent/main.js', ['--stay']);
    let code: number | null | undefined;
    try {
      const [url, gatewayUrl, token] = [
        await example.says(/CATALOG_URL=(\S+) /),
        await example.says(/GATEWAY_URL=(\S+)\n/),
        await example.says(/AGENT_TOKEN=(\S+)\n/),
      ];
      const agent = new AgentClient({ catalog: { url, token }, gateway: { url: gatewayUrl, token } });
      const turn = await agent.prepare('Which bills of TW-204-881 are still open?');
      const outcome = await turn.call('listBills', { accountId: 'TW-204-881' });
      expect([outcome.isError, outcome.text]).toEqual([false, expect.stringContaining('B-2026-10')]);
      await agent.close();
    } finally {
      code = await example.stop('SIGTERM');
    }
    expect(code).toBe(0);
  });
});
