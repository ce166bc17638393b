import { v7 } from 'uuid';
import { everyServer, type ApiAnswer, type Server } from './server.js';

interface Found {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly score: number;
  readonly keywordScore: number;
  readonly vectorScore: number | null;
  readonly weight: number;
  readonly matched?: readonly {
    readonly term: string;
    readonly written?: string;
    readonly fields: string[];
  }[];
  readonly parts?: {
    readonly words: number;
    readonly example: number;
    readonly share: number;
    readonly best: number;
    readonly weight: Readonly<Record<string, number>>;
  };
  readonly related?: readonly {
    readonly name: string;
    readonly reason: string;
    readonly relation?: string;
  }[];
}

interface Answer {
  readonly items: readonly Found[];
  readonly degraded?: readonly string[];
  readonly code?: string;
}

const get = (operationId: string, description: string, more: object = {}): object => ({
  operationId,
  description,
  responses: { 200: { description: 'ok' } },
  ...more,
});

const document = {
  openapi: '3.1.0',
  info: { title: 'Bank', version: '1' },
  paths: {
    '/accounts': { get: get('listAccounts', 'Lists the accounts of a customer.', { tags: ['accounts'] }) },
    '/accounts/{id}/balance': { get: get('getBalance', 'Shows how much money is on an account.') },
    '/transfers': { post: get('createTransfer', 'Sends money from one account to another.') },
    '/loans': { get: get('searchLoans', 'Finds loans. 贷款查询') },
  },
};

class Bank {
  readonly tools: Record<string, string> = {};
  skillId = '';
  agentDefId = '';

  constructor(private readonly server: Server) {}

  async make(): Promise<this> {
    const api = { apiId: 'bank', apiName: 'Bank' };
    const version = { apiVersion: '1', serviceId: 'bank', envTag: 'dev' };
    await this.ask('POST', '/imports', { api, version, document, publish: true });
    const { items } = await this.ask<{ items: { name: string; toolId: string }[] }>('GET', '/tools');
    for (const { name, toolId } of items) this.tools[name] = toolId;
    const skill = {
      name: 'Money',
      description: 'Look after accounts.',
      contentMarkdown: 'Check the balance first.',
    };
    this.skillId = (await this.ask<{ id: string }>('POST', '/skills', skill)).id;
    for (const toolId of Object.values(this.tools)) {
      await this.ask('PUT', `/skills/${this.skillId}/tools/${toolId}`, {});
    }
    await this.ask('POST', '/apis', { apiId: 'teller', apiName: 'teller' });
    const agent = { apiVersion: '1', apiType: 'agent', serviceId: 'bank', envTag: 'dev' };
    this.agentDefId = (await this.ask<{ id: string }>('POST', '/apis/teller/versions', agent)).id;
    await this.ask('PUT', `/agents/${this.agentDefId}`, { maxSensitivityTier: 'internal' });
    await this.ask('POST', `/agents/${this.agentDefId}/skills`, {
      skills: [{ skillId: this.skillId, priority: 10 }],
    });
    return this;
  }

  patch(name: string, body: object): Promise<unknown> {
    return this.ask('PATCH', `/tools/${this.tools[name] ?? ''}`, body);
  }

  /** The answer when every text has its vector: to be compared with others. */
  async settledSearch(body: object, token: string): Promise<ApiAnswer<Answer>> {
    await this.server.settled();
    return this.search(body, token);
  }

  search(body: object, token?: string): Promise<ApiAnswer<Answer>> {
    return this.server.api<Answer>('POST', '/search', { body, ...(token !== undefined && { token }) });
  }

  /** Names of the tools found, best first. */
  async names(prompt: string, more: object = {}, token?: string): Promise<string[]> {
    const { status, body, text } = await this.search({ prompt, kinds: ['tool'], ...more }, token);
    expect([status, text]).toEqual([200, text]);
    return body.items.map(({ name }) => name);
  }

  private async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.server.api<T>(method, path, body === undefined ? {} : { body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body;
  }
}

everyServer((server) => {
  let bank: Bank;
  beforeAll(async () => {
    bank = await new Bank(server()).make();
  });

  describe('over a host', () => {
    it('puts the right tool first, right after the import', async () => {
      expect((await bank.names('how much money do I have on my account?'))[0]).toBe('getBalance');
      expect((await bank.names('send money to another account'))[0]).toBe('createTransfer');
    });

    it('knows words in names, of any script, and misspelt ones', async () => {
      expect((await bank.names('balance'))[0]).toBe('getBalance');
      expect(await bank.names('我想贷款')).toEqual(['searchLoans']);
      expect((await bank.names('show my balnace'))[0]).toBe('getBalance');
    });

    it('finds skills and endpoints too', async () => {
      const { body } = await bank.search({ prompt: 'look after accounts', kinds: ['skill', 'endpoint'] });
      expect(body.items.map(({ kind, name }) => [kind, name])).toEqual(
        expect.arrayContaining([
          ['skill', 'Money'],
          ['endpoint', 'listAccounts'],
        ]),
      );
    });

    it('explains each part of a score', async () => {
      const { body } = await bank.search({
        prompt: 'Which balnace is there?',
        kinds: ['tool'],
        explain: true,
      });
      const [first] = body.items;
      expect(first).toMatchObject({
        kind: 'tool',
        id: bank.tools['getBalance'],
        weight: 1.1,
        parts: {
          ...{ name: 1, example: 0, votes: [] },
          weight: { semantic: 1, priority: 1, lifecycle: 1, safety: 1.1 },
        },
      });
      expect(first?.matched).toEqual(
        expect.arrayContaining([
          { term: 'balanc', written: 'balnac', share: 1, fields: expect.arrayContaining(['name']) },
        ]),
      );
      expect(body.items.every((item) => 'matched' in item)).toBe(true);
      expect((await bank.search({ prompt: 'balance' })).body.items[0]).not.toHaveProperty('matched');
    });

    it('gives all that a score is made of, to six digits', async () => {
      const prompt = 'how much money is on the accounts, and what of loans?';
      const question = { prompt, limit: 3, explain: true };
      const { body, text } = await bank.settledSearch(question, await server().token({}));
      expect(body.items).toHaveLength(3);
      for (const { score, keywordScore, vectorScore, parts } of body.items) {
        const { words = NaN, example = NaN, share = NaN, best = NaN, weight = {} } = parts ?? {};
        expect(keywordScore).toBeCloseTo((words + 0.4 * example) / 1.4, 5);
        const relevance = (1 - share) * keywordScore + share * best * (vectorScore ?? 0);
        const weighed = Object.values(weight).reduce((product, each) => product * each, relevance);
        expect(score).toBeCloseTo(weighed, 5);
      }
      expect(text).not.toMatch(/\.\d{7}/);
    });

    it('filters before it ranks', async () => {
      await bank.patch('getBalance', { routing: { domain: 'finance.accounts', targetPersonas: ['Teller'] } });
      await bank.patch('createTransfer', { routing: { domain: 'finances' } });
      const money = 'money account loans';
      expect(await bank.names(money, { filters: { domain: 'finance' } })).toEqual(['getBalance']);
      expect(await bank.names(money, { filters: { domain: ['finance', 'finances'] } })).toHaveLength(2);
      expect(await bank.names(money, { filters: { personas: ['broker'] } })).not.toContain('getBalance');
      expect(await bank.names(money, { filters: { personas: 'teller' } })).toContain('getBalance');
      expect(await bank.names(money, { filters: { apiId: 'other' } })).toEqual([]);
      expect(await bank.names(money, { filters: { sourceProtocol: 'openapi' }, limit: 2 })).toHaveLength(2);
      expect(await bank.names(money, { serviceId: 'other' })).toEqual([]);
    });

    it('offers what belongs to a find, with the reason', async () => {
      const dependencies = [{ endpoint: '/accounts@get', relation: 'often before' }];
      await bank.patch('createTransfer', { routing: { dependencies, fallbackEndpoint: '/loans@get' } });
      const { body } = await bank.search({ prompt: 'transfer', kinds: ['tool'] });
      expect(body.items[0]?.related).toEqual([
        expect.objectContaining({ name: 'listAccounts', reason: 'dependency', relation: 'often before' }),
        expect.objectContaining({ name: 'searchLoans', reason: 'fallback' }),
      ]);
    });

    it('learns from example prompts at once', async () => {
      const prompt = 'am I broke?';
      expect(await bank.names(prompt)).toEqual([]);
      await bank.patch('getBalance', { examplePrompts: ['am I broke already', 'what is left on it'] });
      expect(await bank.names('tell me if I am broke')).toEqual(['getBalance']);
    });

    it('leaves out what requires more context than is at hand, and what is not active', async () => {
      await bank.patch('searchLoans', {
        routing: { contextRequirements: { requiredContext: ['customerId'] } },
      });
      expect(await bank.names('loans')).toEqual(['searchLoans']);
      expect(await bank.names('loans', { context: ['accountNo'] })).toEqual([]);
      expect(await bank.names('loans', { context: 'accountNo, customerId' })).toEqual(['searchLoans']);
      const path = `/tools/${bank.tools['searchLoans'] ?? ''}`;
      await server().api('POST', `${path}/deactivate`);
      expect(await bank.names('loans')).toEqual([]);
      await server().api('POST', `${path}/activate`);
      expect(await bank.names('loans')).toEqual(['searchLoans']);
    });

    it('refuses what it doesn’t know, and takes any text', async () => {
      expect((await bank.search({})).status).toBe(400);
      expect((await bank.search({ prompt: 'x', filters: { colour: 'red' } })).status).toBe(400);
      expect((await bank.search({ prompt: 'x', limit: 1000 })).status).toBe(400);
      for (const prompt of [
        "'; DROP TABLE tool_t; --",
        '%_\\ \u202e "&|!()',
        '🦄'.repeat(500),
        'a '.repeat(9000),
      ]) {
        expect((await bank.search({ prompt })).status).toBe(200);
      }
    });
  });

  describe('for an agent', () => {
    const token = (claims: object = {}) =>
      server().token({ scope: 'catalog:agent', sid: 'bank', agent_def_id: bank.agentDefId, ...claims });

    it('searches its effective catalog', async () => {
      expect((await bank.names('how much money do I have on my account?', {}, await token()))[0]).toBe(
        'getBalance',
      );
      const { body } = await bank.search(
        { prompt: 'balance', kinds: ['tool'], explain: true },
        await token(),
      );
      expect(body.items[0]).toMatchObject({ parts: { weight: { priority: 1.1 } } });
      const link = `/skills/${bank.skillId}/tools/${body.items[0]?.id ?? ''}`;
      await server().api('PUT', link, { body: { config: { priority: 10 } } });
      const raised = await bank.search({
        prompt: 'balance',
        kinds: ['tool'],
        agentDefId: bank.agentDefId,
        explain: true,
      });
      expect(raised.body.items[0]).toMatchObject({
        ...{ id: body.items[0]?.id, parts: { weight: { priority: 1.21 } } },
      });
      await server().api('PUT', link, { body: {} });
      const named = await token({ agent_def_id: undefined });
      expect((await bank.search({ prompt: 'balance' }, named)).status).toBe(400);
      expect(await bank.names('balance', { agentDefId: bank.agentDefId }, named)).toEqual(['getBalance']);
    });

    it('finds a tool by what a skill of the agent says of it', async () => {
      const config = { description: 'Tells of insolvency.', examples: ['guten Morgen, Kontostand bitte'] };
      const path = `/skills/${bank.skillId}/tools/${bank.tools['getBalance'] ?? ''}`;
      for (const prompt of ['insolvency', 'Kontostand']) {
        expect(await bank.names(prompt, {}, await token())).toEqual([]);
        await server().api('PUT', path, { body: { config } });
        expect(await bank.names(prompt, {}, await token())).toEqual(['getBalance']);
        await server().api('PUT', path, { body: {} });
      }
    });

    it('scores by what the catalog says of a tool alone, by its meaning too', async () => {
      const path = `/skills/${bank.skillId}/tools/${bank.tools['getBalance'] ?? ''}`;
      const config = { description: 'Gives a thing as told.', examples: ['any thing at hand'] };
      await server().api('PUT', path, { body: { config } });
      const question = { prompt: 'a thing about insolvency and debts', kinds: ['tool'], explain: true };
      const shown = await bank.settledSearch(question, await token());
      expect(shown.body.items).toMatchObject([{ name: 'getBalance', vectorScore: expect.any(Number) }]);
      for (const hidden of [
        { description: 'Tells of insolvency, bankruptcy and debts.' },
        { examplePrompts: ['insolvency and debts, please'] },
      ]) {
        await bank.patch('getBalance', hidden);
        expect((await bank.settledSearch(question, await token())).body).toEqual(shown.body);
      }
      await bank.patch('getBalance', { description: null, examplePrompts: null });
      await server().api('PUT', path, { body: {} });
    });

    it('is for its own agent alone', async () => {
      const other = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e99';
      expect((await bank.search({ prompt: 'x', agentDefId: other }, await token())).status).toBe(403);
      expect((await bank.search({ prompt: 'x', serviceId: 'else' }, await token())).status).toBe(403);
      const host = await token({ host: v7() });
      expect((await bank.search({ prompt: 'x' }, host)).status).toBe(403);
    });

    it.each([
      ['a tier above the agent’s', { routing: { sensitivityTier: 'restricted' } }],
      ['a destructive tool without approval', { safety: { destructive: true } }],
      ['a retired tool', { lifecycleStatus: 'retired' }],
    ])('never finds, counts or scores what is withheld: %s', async (_, withholding) => {
      const question = { prompt: 'send a transfer of money from my account', explain: true };
      const own = await token();
      const shown = await bank.search(question, own);
      expect(shown.text).toContain('createTransfer');
      await bank.patch('createTransfer', withholding);
      const kept = await bank.settledSearch(question, own);
      expect(kept.text).not.toMatch(/createTransfer|Sends money/);
      // The same scores as if it had never been linked.
      const path = `/skills/${bank.skillId}/tools/${bank.tools['createTransfer'] ?? ''}`;
      await server().api('DELETE', path);
      expect((await bank.settledSearch(question, own)).body).toEqual(kept.body);
      await bank.patch('createTransfer', {
        routing: { sensitivityTier: null },
        safety: null,
        lifecycleStatus: null,
      });
      await server().api('PUT', path, { body: {} });
    });

    it('of a token with maxSensitivityTier neither finds nor counts what lies above', async () => {
      const reader = await server().token({
        scope: 'catalog:read',
        sid: 'bank',
        maxSensitivityTier: 'internal',
      });
      const question = { prompt: 'money on an account', kinds: ['tool'], explain: true };
      await bank.patch('createTransfer', { routing: { sensitivityTier: 'restricted' } });
      const hidden = await bank.settledSearch(question, reader);
      expect(hidden.text).not.toContain('createTransfer');
      await server().api('POST', `/tools/${bank.tools['createTransfer'] ?? ''}/deactivate`);
      expect((await bank.settledSearch(question, reader)).body).toEqual(hidden.body);
    });
  });
});
