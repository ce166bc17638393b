import { newHome } from '../e2e/home.js';
import { runToEnd } from './service-process.js';

describe('the example of an account agent', () => {
  it('goes from a prompt to an answer on one machine, and ends with exit code 0', async () => {
    const home = await newHome('embedded');
    const { code, output } = await runToEnd('../examples/account-agent/main.js', [], home);
    await home.raze();
    expect([code, output]).toEqual([0, expect.any(String)]);
    for (const line of [
      /check {2}policy_blocked: closeAccount, refundPayment/,
      /prompt {2}Which bills of TW-204-881 are still open\?\n +skills {2}household-accounts\n +tools {2}.*listBills/,
      /call {2}listBills {"accountId":"TW-204-881","unpaid":true}/,
      /the API is asked: GET \/v1\/accounts\/TW-204-881\/bills\?unpaid=true → 200/,
      /answer {2}2 bills are open, 134\.20 EUR in all/,
      /prompt {2}Please close the account .*\n.*\n(?!.*closeAccount).*tools.*\n +answer {2}I have no tool for that/,
      /gateway {2}The policy of the gateway blocks refundPayment: sensitivity_tier_exceeds_policy/,
    ]) {
      expect(output).toMatch(line);
    }
  });
});
