import { asRead } from './approving.js';
import { eachServer } from './server.js';
import { fresh, guardsWorld } from './guards-world.js';

/** Evaluations of versions of tools: what passes, what it is kept for, and what an approval makes of it. */

interface Evaluated {
  readonly evaluation: {
    readonly passed: boolean;
    readonly concerned: number;
    readonly against: string | null;
    readonly position: number;
    readonly asked: {
      readonly config: number;
      readonly dataSets: readonly string[];
      readonly own: number;
      readonly made: number;
    };
    readonly metrics: object;
    readonly reasons: readonly { readonly rule: string }[];
    readonly evaluationId: string;
  };
  readonly worse: readonly object[];
  readonly better: readonly object[];
  readonly confusions: { readonly now: readonly object[] };
}

eachServer((server) => {
  const { ask, refusal, approval, approve } = guardsWorld(server);
  const tokens = { author: '', reviewer: '' };
  const [balance, transfers] = [fresh('getBalance'), fresh('listTransfers')];
  const inputSchema = {
    type: 'object',
    properties: { account: { type: 'string', description: 'Its number.' } },
  };
  const ids = { balance: '', transfers: '' };

  const make = async (name: string, description: string) => {
    const body = { name, description, inputSchema, implementationType: 'python' };
    return (await ask<{ id: string }>('POST', '/tools', body, tokens.author)).id;
  };
  const draft = (version: string, description: string, evalConfig?: object) => {
    const body = { version, description, inputSchema, ...(evalConfig && { evalConfig }) };
    return ask('POST', `/tools/${ids.balance}/versions`, body, tokens.author);
  };
  const at = (version: string) => `/tools/${ids.balance}/versions/${version}`;
  const evaluate = (version: string, body: object = {}) =>
    ask<Evaluated>('POST', `${at(version)}/evaluate`, body, tokens.author);

  beforeAll(async () => {
    const scope = 'catalog:read catalog:write catalog:approve catalog:all-services';
    tokens.author = await server().token({ sub: 'ada', scope });
    tokens.reviewer = await server().token({ sub: 'grace', scope });
    ids.balance = await make(balance, 'Shows how much is on an account.');
    ids.transfers = await make(transfers, 'Lists transfers of money between people.');
  });

  it('asks by its name and first sentence where no prompt asks for the tool, and says so', async () => {
    await draft('1.0.1', 'Shows how much there is on an account.');
    const { evaluation } = await evaluate('1.0.1');
    expect(evaluation).toMatchObject({ passed: true, asked: { config: 0, dataSets: [], own: 0, made: 2 } });
    expect(await refusal('POST', `${at('1.0.0')}/evaluate`, {}, tokens.author)).toEqual([
      409,
      'version_state',
    ]);
    expect(await refusal('POST', `${at('9.0.0')}/evaluate`, {}, tokens.author)).toEqual([404, 'not_found']);
    const unknown = { dataSets: ['unknown'] };
    expect(await refusal('POST', `${at('1.0.1')}/evaluate`, unknown, tokens.author)).toEqual([
      404,
      'not_found',
    ]);
  });

  it('fails a draft that takes the prompts of another tool, and says from whom', async () => {
    const rows = [
      { prompt: 'how much is on my account', expect: [balance] },
      { prompt: 'which transfers between people', expect: [transfers] },
      { prompt: 'transfers of money', expect: [transfers] },
    ];
    await ask('PUT', '/evaluation-sets/desk', { rows });
    const greedy = 'Transfers of money, transfers between people: which transfers, money, people, account.';
    await draft('1.0.1', greedy);
    const found = await evaluate('1.0.1');
    expect(found.evaluation).toMatchObject({
      ...{ passed: false, against: '1.0.0' },
      asked: { config: 0, dataSets: ['desk'], own: 0 },
    });
    expect(found.evaluation.reasons.map(({ rule }) => rule)).toContain('worse');
    expect(found.worse).toContainEqual(
      expect.objectContaining({
        prompt: 'transfers of money',
        first: { before: transfers, now: balance },
      }),
    );
    expect(found.confusions.now).toContainEqual(
      expect.objectContaining({ expected: transfers, found: balance }),
    );
    const { results } = await ask<{ results: readonly object[] }>(
      'GET',
      `/evaluations/${found.evaluation.evaluationId}`,
      undefined,
      tokens.author,
    );
    expect(results).toHaveLength(3);
    await ask('POST', `${at('1.0.1')}/submit`, {}, tokens.author);
    expect(await approval(`${at('1.0.1')}/approve`, {}, tokens.reviewer)).toEqual([409, 'evaluation_needed']);
    await ask('POST', `${at('1.0.1')}/reject`, { reason: 'Greedy.' }, tokens.reviewer);
  });

  it('passes a good one the same way each time, and lets somebody else approve it', async () => {
    const config = {
      prompts: [{ prompt: 'how much is on my account', forbidden: [transfers] }],
      thresholds: { hitAt1: 1 },
    };
    await draft('1.0.2', 'Shows how much money is on an account.', config);
    const first = await evaluate('1.0.2');
    expect(first.evaluation).toMatchObject({
      passed: true,
      reasons: [],
      asked: { config: 1, dataSets: ['desk'] },
    });
    const again = await evaluate('1.0.2');
    expect(again.evaluation.metrics).toEqual(first.evaluation.metrics);
    expect([again.worse, again.better]).toEqual([first.worse, first.better]);
    // Written again, it is other content: nothing is known of it.
    await draft('1.0.2', 'Shows how much money there is on an account.', config);
    await ask('POST', `${at('1.0.2')}/submit`, {}, tokens.author);
    expect(await approval(`${at('1.0.2')}/approve`, {}, tokens.reviewer)).toEqual([409, 'evaluation_needed']);
    await evaluate('1.0.2');
    expect(await approval(`${at('1.0.2')}/approve`, {}, tokens.author)).toEqual([409, 'own_version']);
    await approve(`${at('1.0.2')}/approve`, {}, tokens.reviewer);
    expect(await ask('GET', at('1.0.2'))).toMatchObject({ state: 'approved', isPresent: true });
  });

  const prompt = 'how much is on my account';
  const missing = async (version: string) => {
    const { status, body } = await server().api<{ code: string; detail: string }>(
      'POST',
      `${at(version)}/approve`,
      { body: await asRead(server(), `${at(version)}/approve`), token: tokens.reviewer },
    );
    return [status, body.code, body.detail.replace(/\. Evaluate.*/, '')];
  };

  it('keeps what a version is evaluated by, and rests an approval on that alone', async () => {
    const evalConfig = { prompts: [{ prompt, forbidden: [transfers] }], thresholds: { hitAt1: 1 } };
    const evalConfigText = `prompts:\n  - prompt: ${prompt}\n    forbidden: [${transfers}]\nthresholds: {hitAt1: 1}\n`;
    const description = 'Shows how much money is there on an account.';
    const body = { version: '1.1.0', description, inputSchema };
    const path = `/tools/${ids.balance}/versions`;
    const other = { ...body, evalConfig, evalConfigText: evalConfigText.replace('1}', '0.5}') };
    expect(await refusal('POST', path, other, tokens.author)).toEqual([400, 'invalid_eval_config']);
    const unreadable = { ...body, evalConfigText: 'prompts: []\n' };
    expect(await refusal('POST', path, unreadable, tokens.author)).toEqual([400, 'invalid_eval_config']);
    await ask('POST', path, { ...body, evalConfig, evalConfigText }, tokens.author);
    const kept = {
      prompts: [{ prompt, expected: [balance], forbidden: [transfers] }],
      thresholds: { hitAt1: 1 },
    };
    expect(await ask('GET', at('1.1.0'))).toMatchObject({ evalConfig: kept, evalConfigText });
    await ask('POST', `${at('1.1.0')}/submit`, {}, tokens.author);
    const of = `Version 1.1.0 of ${balance}`;
    expect(await missing('1.1.0')).toEqual([409, 'evaluation_needed', `${of} has not been evaluated`]);
    const easier = { prompts: [{ prompt }] };
    const all = await evaluate('1.1.0', { config: easier, dataSets: ['desk'], margin: 0.5 });
    expect(all.evaluation).toMatchObject({ passed: true, exploring: true, asked: { allDataSets: false } });
    // It only explores: it is answered, and nothing is kept of it.
    expect(await missing('1.1.0')).toEqual([409, 'evaluation_needed', `${of} has not been evaluated`]);
    expect(await ask('GET', at('1.1.0'))).toMatchObject({ evaluation: null });
    const plain = await evaluate('1.1.0');
    expect(plain.evaluation).toMatchObject({
      ...{ passed: true, exploring: false },
      asked: { config: 1, dataSets: ['desk'], allDataSets: true },
    });
    const failing = { prompts: [{ prompt, expected: [transfers] }], thresholds: { hitAt1: 1 } };
    expect((await evaluate('1.1.0', { config: failing })).evaluation).toMatchObject({
      ...{ passed: false, exploring: true },
    });
    await approve(`${at('1.1.0')}/approve`, {}, tokens.reviewer);
    const { items } = await ask<{ items: readonly object[] }>('GET', path);
    expect(items[0]).not.toHaveProperty('evalConfig');
  });

  it('rests no approval on prompts that came with the request, where none are kept', async () => {
    await draft('1.1.1', 'Shows how much money is kept on an account.');
    await ask('POST', `${at('1.1.1')}/submit`, {}, tokens.author);
    expect((await evaluate('1.1.1', { config: { prompts: [{ prompt }] } })).evaluation).toMatchObject({
      ...{ passed: true, exploring: true },
    });
    expect((await missing('1.1.1')).slice(0, 2)).toEqual([409, 'evaluation_needed']);
    await ask('POST', `${at('1.1.1')}/reject`, { reason: 'Not shown.' }, tokens.reviewer);
  });

  it('asks anew where another version has been approved since', async () => {
    await draft('1.1.2', 'Shows how much money is on your account.');
    await draft('1.1.3', 'Shows how much money there is on your account.');
    for (const version of ['1.1.2', '1.1.3']) {
      await evaluate(version);
      await ask('POST', `${at(version)}/submit`, {}, tokens.author);
    }
    await approve(`${at('1.1.2')}/approve`, {}, tokens.reviewer);
    expect((await missing('1.1.3'))[2]).toMatch(
      /was evaluated against 1\.1\.0, and would take the place of 1\.1\.2: evaluate it anew$/,
    );
    await evaluate('1.1.3');
    await approve(`${at('1.1.3')}/approve`, {}, tokens.reviewer);
  });

  it('asks anew where the host’s data sets are others by now, and takes it back where they are as they were', async () => {
    const rows = [
      { prompt: 'how much is on my account', expect: [balance] },
      { prompt: 'which transfers between people', expect: [transfers] },
    ];
    const put = (name: string, asked: readonly object[]) =>
      ask('PUT', `/evaluation-sets/${name}`, { rows: asked }, tokens.author);
    await put('counter', rows);
    await draft('1.1.9', 'Shows how much of your money is on an account.');
    await ask('POST', `${at('1.1.9')}/submit`, {}, tokens.author);
    await put('counter', rows.slice(0, 1));
    await evaluate('1.1.9');
    await put('counter', rows);
    const other = 'was evaluated by other data sets than the host has now: evaluate it anew';
    expect(await missing('1.1.9')).toEqual([
      ...[409, 'evaluation_needed'],
      `Version 1.1.9 of ${balance} ${other}`,
    ]);
    const report = () =>
      ask<{ missing: string[] }>('GET', `${at('1.1.9')}/report`, undefined, tokens.reviewer);
    expect((await report()).missing).toEqual([other]);
    await put('counter', rows.slice(0, 1));
    expect((await report()).missing).toEqual([]);
    await put('another', [{ prompt: 'money of my account', expect: [balance] }]);
    expect((await report()).missing).toEqual([other]);
    await evaluate('1.1.9');
    expect((await report()).missing).toEqual([]);
    await ask('POST', `${at('1.1.9')}/reject`, { reason: 'Not needed.' }, tokens.reviewer);
  });

  it('keeps a version from approval that models would call wrongly, whatever prompts find', async () => {
    const body = {
      ...{ version: '1.2.0', description: 'Shows how much money is on one account.' },
      inputSchema: { type: 'object', properties: { account: { type: 'string' }, day: { type: 'string' } } },
    };
    await ask('POST', `/tools/${ids.balance}/versions`, body, tokens.author);
    await ask('POST', `${at('1.2.0')}/submit`, {}, tokens.author);
    expect((await evaluate('1.2.0')).evaluation).toMatchObject({ passed: true, exploring: false });
    const lint = ['day', 'account'].map((name) => ({
      pointer: `/inputSchema/properties/${name}`,
      detail: expect.stringMatching(/^parameter_undescribed: .* Better: description: /) as string,
    }));
    expect(await ask('GET', `${at('1.2.0')}/report`)).toMatchObject({ missing: [], lint });
    const read = await asRead(server(), `${at('1.2.0')}/approve`);
    const answer = await server().api('POST', `${at('1.2.0')}/approve`, {
      body: read,
      token: tokens.reviewer,
    });
    expect(answer).toMatchObject({ status: 409, body: { code: 'lint_findings', errors: lint } });
    await ask('POST', `${at('1.2.0')}/reject`, { reason: 'Parameters.' }, tokens.reviewer);
  });

  it('compares a patch of an older major with what links of that major are given', async () => {
    const override = { override: { reason: 'Looked at by hand.' } };
    const publish = async (version: string, description: string) => {
      await draft(version, description);
      await ask('POST', `${at(version)}/submit`, {}, tokens.author);
      await approve(`${at(version)}/approve`, override, tokens.reviewer);
    };
    await publish('2.0.0', 'Weather of tomorrow.');
    await draft('1.1.4', 'Weather of today.');
    const older = await evaluate('1.1.4', { config: { prompts: [{ prompt: 'how much money' }] } });
    expect(older.evaluation).toMatchObject({ passed: false, against: '1.1.3' });
    await draft('2.0.1', 'Shows how much money is on an account.');
    expect((await evaluate('2.0.1')).evaluation).toMatchObject({ passed: true, against: '2.0.0' });
    await ask('POST', `${at('2.0.0')}/retire`, { reason: 'Not about the weather.' }, tokens.author);
  });

  it('holds a version to the thresholds and the forbidden tools of its config', async () => {
    await draft('1.0.3', 'Shows how much money lies on an account.');
    const prompt = 'transfers of money';
    const config = {
      prompts: [
        { prompt },
        { prompt: 'which transfers between people', expected: [balance], forbidden: [transfers] },
      ],
      thresholds: { hitAt1: 0.5 },
    };
    const { evaluation } = await evaluate('1.0.3', { config, dataSets: [] });
    expect(evaluation.passed).toBe(false);
    expect(evaluation.reasons.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['forbidden_first', 'below_threshold']),
    );
  });

  it('asks the own prompts of the tools that it may take one from, whatever its config asks', async () => {
    const prompts = ['pay my friend', 'send gold to my friend', 'transfers to a friend'];
    const [taken] = [{ toolId: ids.transfers, prompts }];
    await ask('POST', '/tools/examples', { items: [taken], mode: 'replace' });
    const stealing = 'Shows an account: pay my friend, send gold to my friend, transfers to a friend.';
    await draft('1.0.3', stealing);
    const easy = { config: { prompts: [{ prompt: 'zebra stripes of the account' }] }, dataSets: [] };
    const { evaluation } = await evaluate('1.0.3', easy);
    expect(evaluation).toMatchObject({ passed: false, asked: { config: 1 } });
    expect(evaluation.asked.own).toBeGreaterThanOrEqual(prompts.length);
    await ask('POST', '/tools/examples', { items: [{ ...taken, prompts: [] }], mode: 'replace' });
  });

  it('asks the tool’s own prompts and those of its neighbours where nothing else asks for it', async () => {
    const prompts = ['what do I own'];
    await ask('POST', '/tools/examples', { items: [{ toolId: ids.balance, prompts }], mode: 'replace' });
    await draft('1.0.4', 'Shows how much money somebody has on an account.');
    const { evaluation } = await evaluate('1.0.4', { dataSets: [] });
    expect(evaluation).toMatchObject({ passed: true, asked: { config: 0, dataSets: [] } });
    expect(evaluation.asked.own).toBeGreaterThan(0);
  });

  it('runs one at a time of a host, and says of others that they come too soon', async () => {
    const body = { config: { prompts: [{ prompt: 'how much money' }] } };
    const asked = await Promise.all(
      Array.from({ length: 6 }, () =>
        server().api<{ code?: string }>('POST', `${at('1.0.4')}/evaluate`, { token: tokens.author, body }),
      ),
    );
    const answers = asked.map(({ status, body: { code } }) => (status === 200 ? 200 : code));
    expect(answers.filter((answer) => answer === 200).length).toBeGreaterThanOrEqual(1);
    expect([200, 'reads_busy']).toEqual(expect.arrayContaining(answers));
    expect((await evaluate('1.0.4', body)).evaluation.passed).toBe(true);
  });

  it('shows no name of a tool that the token does not cover', async () => {
    const hidden = fresh('closeAccount');
    const api = {
      api: { apiId: fresh('vault') },
      version: { apiVersion: '1', serviceId: 'vault', envTag: 'dev' },
    };
    const operation = { operationId: hidden, description: 'Vault of money and gold.', responses: {} };
    const document = {
      openapi: '3.1.0',
      info: { title: 'V', version: '1' },
      paths: { '/v': { post: operation } },
    };
    await ask('POST', '/imports', { ...api, document, publish: true });
    const narrow = await server().token({ sub: 'joan', sid: 'desk', scope: 'catalog:read catalog:write' });
    const config = { prompts: [{ prompt: 'gold of the vault' }] };
    const found = await ask<Evaluated>('POST', `${at('1.0.4')}/evaluate`, { config, dataSets: [] }, narrow);
    expect(JSON.stringify(found)).not.toContain(hidden);
    expect(found.confusions.now).toContainEqual(expect.objectContaining({ found: '(hidden)' }));
  });
});
