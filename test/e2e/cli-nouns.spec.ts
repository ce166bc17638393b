import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitCodes } from '../../src/cli/output.js';
import { commandLine, runHere, type Said } from './command-line.js';
import { eachServer } from './server.js';

const accounts = (more = '') => `openapi: 3.1.0
info: { title: Accounts, version: 1.0.0 }
paths:
  /accounts:
    get:
      operationId: getAccounts
      summary: List the accounts.
      parameters: [{ name: customerId, in: query, required: true, schema: { type: string } }${more}]
      responses: { '200': { description: fine } }
  /accounts/{no}:
    delete:
      operationId: deleteAccount
      summary: Close an account.
      parameters: [{ name: no, in: path, required: true, schema: { type: string } }]
      responses: { '204': { description: gone } }
`;
const flow =
  'document: { dsl: 1.0.3, namespace: accounts, name: approve, version: 1.0.0 }\ndo:\n  - ask: { wait: { seconds: 1 } }\n';

eachServer((server) => {
  let run: (...args: readonly string[]) => Promise<Said>;
  let folder: string;
  const file = (name: string) => join(folder, name);
  /** What a command prints that must be done. */
  const out = async (...args: readonly string[]): Promise<string> => {
    const said = await run(...args);
    expect([args.join(' '), said.code, said.err]).toEqual([args.join(' '), exitCodes.done, '']);
    return said.out;
  };

  beforeAll(async () => {
    run = await commandLine(server());
    folder = await mkdtemp(join(tmpdir(), 'portal-catalog-nouns-'));
    await writeFile(file('accounts.yaml'), accounts());
    await writeFile(file('flow.yaml'), flow);
    const whose = ['--service', 'accounts-1.0.0', '--env', 'dev', '--publish'];
    await run('import', file('accounts.yaml'), '--api', 'accounts', ...whose);
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it('makes, shows, changes and lists records by their names, from the options of the document', async () => {
    expect(await out('skill', 'create', 'looks', '--content-markdown', 'Look first.')).toMatch(
      /^skill looks: made [\da-f-]{36}\n$/,
    );
    expect(await out('skill', 'edit', 'looks', '--description', 'Finds accounts.')).toBe(
      'skill looks: changed\n',
    );
    expect(await out('skill', 'edit', 'looks', '--description', 'Finds accounts.')).toBe(
      'skill looks: unchanged\n',
    );
    expect(await out('skill', 'list')).toMatch(
      /^name +version +description +.*\nlooks +\S+ +Finds accounts\./,
    );
    expect(await out('skill', 'show', 'looks')).toMatch(/^name: looks$/m);
    expect(JSON.parse(await out('skill', 'show', 'looks', '--json'))).toMatchObject({ name: 'looks' });
    expect(await out('skill', 'list', '--yaml')).toMatch(/^items:\n {2}- skillId: /);
    expect(await out('skill', 'list', '--ids')).toBe(await out('skill', 'show', 'looks', '--ids'));
    await writeFile(file('more.yaml'), 'contentMarkdown: Read.\ndescription: From the file.\n');
    await out('skill', 'create', 'inner', '--from', file('more.yaml'), '--parent-skill', 'looks');
    expect(JSON.parse(await out('skill', 'show', 'inner', '--json'))).toMatchObject({
      description: 'From the file.',
      parentSkillId: (await out('skill', 'show', 'looks', '--ids')).trim(),
    });
    await out('skill', 'edit', 'inner', '--no-parent-skill');
    expect(await out('skill', 'show', 'inner')).toMatch(/^parentSkillId: null$/m);
  });

  it('reaches what stands deeper in a body, and puts names for ids there', async () => {
    await out(
      'tool',
      'edit',
      'getAccounts',
      '--sensitivity-tier',
      'confidential',
      '--semantic-keywords',
      'balance',
      'money',
    );
    await out(
      'tool',
      'edit',
      'accounts/getAccounts',
      '--example-prompts',
      'What have I got?',
      '--idempotent',
    );
    expect(JSON.parse(await out('tool', 'show', 'getAccounts', '--json'))).toMatchObject({
      examplePrompts: ['What have I got?'],
      sensitivityTier: 'confidential',
      toolMetadata: { routing: { semanticKeywords: ['balance', 'money'] } },
    });
    await out('category', 'create', 'finance', '--entity-type', 'skill');
    await out('tag', 'create', 'new', '--entity-type', 'skill');
    await out('tag', 'create', 'new', '--entity-type', 'tool');
    expect(await out('skill', 'classify', 'looks', '--category', 'finance', '--tag', 'new')).toContain(
      'skill looks: classified',
    );
    expect(await out('skill', 'list', '--tag', 'new')).toMatch(/looks .*finance +new/);
    await out('tag', 'edit', 'tool/new', '--tag-desc', 'Of tools.');
    expect(await out('tag', 'remove', 'tool/new')).toBe('tag tool/new: removed\n');
  });

  it('names the candidates where a name is that of several', async () => {
    await out('tag', 'create', 'twice', '--entity-type', 'skill');
    await out('tag', 'create', 'twice', '--entity-type', 'endpoint');
    const unclear = await run('tag', 'show', 'twice');
    expect(unclear).toMatchObject({ code: exitCodes.usage, out: '' });
    expect(unclear.err).toMatch(
      /^Several are called twice: .*\n {2}[\da-f-]{36} {2}(skill|endpoint)\/twice\n {2}[\da-f-]{36} {2}(skill|endpoint)\/twice\n$/,
    );
    expect(await out('tag', 'show', 'endpoint/twice')).toMatch(/^entityType: endpoint$/m);
    expect(await run('tag', 'show', 'nowhere')).toMatchObject({
      code: exitCodes.refused,
      err: 'There is no tag nowhere that the token covers.\n',
    });
    expect(await run('skill', 'create', 'looks', '--content-markdown', 'x')).toMatchObject({
      code: exitCodes.refused,
      err: expect.stringMatching(/^409 /) as string,
    });
    expect(await run('skill', 'edit', 'looks')).toMatchObject({ code: exitCodes.usage });
    expect(await run('tool', 'edit', 'getAccounts', '--semantic-weight', 'much')).toMatchObject({
      code: exitCodes.usage,
    });
  });

  it('makes an agent, and gives it skills; says why it lacks a tool', async () => {
    await out('api', 'create', 'helper', '--api-name', 'helper');
    await out(
      'api-version',
      'create',
      'helper@1.0.0',
      '--api-type',
      'agent',
      '--service',
      'helper-1',
      '--env',
      'dev',
    );
    expect(await out('agent', 'create', 'helper@1.0.0', '--model-name', 'small')).toMatch(/: made /);
    expect(await run('agent', 'create', 'helper@1.0.0')).toMatchObject({
      code: exitCodes.refused,
      err: expect.stringContaining('agent edit') as string,
    });
    await out('agent', 'edit', 'helper', '--temperature', '0.5');
    await out('agent', 'edit', 'helper', '--no-model-name');
    expect(JSON.parse(await out('agent', 'show', 'helper', '--json'))).toMatchObject({
      modelName: null,
      temperature: 0.5,
    });
    expect(await out('link', 'looks', 'getAccounts', 'deleteAccount', '--access-level', 'execute')).toBe(
      'getAccounts: linked to looks\ndeleteAccount: linked to looks\n',
    );
    expect(await out('assign', 'helper', 'looks', '--dry-run')).toBe('looks: may be assigned\n');
    expect(await out('assign', 'helper', 'looks', '--sequence', '3')).toBe('looks: assigned to helper\n');
    expect(await out('agent', 'skills', 'helper')).toContain('looks');
    expect(await out('catalog', '--agent', 'helper', '--withheld')).toMatch(
      /^withheld deleteAccount: destructive_tool_requires_approval_workflow/m,
    );
    expect(await out('explain', 'helper', 'getAccounts')).toMatch(
      /^getAccounts: is withheld\nby the skill looks: sensitivity_tier_exceeds_policy\n {2}withheld sensitivity/,
    );
    await out(
      'workflow',
      'create',
      'approve',
      '--namespace',
      'accounts',
      '--version',
      '1.0.0',
      '--definition-file',
      file('flow.yaml'),
    );
    expect(await out('workflow', 'publish', 'accounts/approve')).toBe(
      'workflow accounts/approve: published\n  lifecycleStatus: PUBLISHED\n',
    );
    await out('tool', 'edit', 'deleteAccount', '--approval-workflow', 'accounts/approve');
    await out('agent', 'edit', 'helper', '--max-sensitivity-tier', 'confidential');
    expect(await out('catalog', '--agent', 'helper')).toMatch(/deleteAccount[^]*getAccounts/);
    expect(await out('preview', 'looks', '--agent', 'helper')).toContain('Look first.');
    expect(await out('impact', 'skill', 'looks')).toContain('agent helper');
    expect(await out('skill', 'disable', 'looks', '--dry-run')).toMatch(/would be off[^]*agent helper/);
    expect(await out('unlink', 'looks', 'deleteAccount')).toBe('deleteAccount: taken from looks\n');
    expect(await out('unassign', 'helper', 'looks')).toBe('looks: taken from helper\n');
  });

  it('switches on and off, either way round', async () => {
    expect(await out('api', 'disable', 'accounts')).toMatch(/^api accounts: off\n {2}tool deleteAccount\n/);
    expect(await out('disable', 'api', 'accounts')).toMatch(/^api accounts: unchanged\n/);
    expect(await out('enable', 'api', 'accounts')).toBe('api accounts: on\n');
    expect(await out('disable', 'api-version', 'accounts@1.0.0')).toMatch(
      /^api-version accounts@1\.0\.0: off/,
    );
    expect(await out('api-version', 'list', '--api', 'accounts')).toBe(
      'There is no api-version here that the token covers.\n',
    );
    expect(await out('api-version', 'list', '--all', '--api', 'accounts')).toMatch(
      /accounts +1\.0\.0 .*false$/m,
    );
    await out('api-version', 'enable', 'accounts@1.0.0');
    expect(await out('endpoint', 'list', '--api', 'accounts')).toMatch(/\/accounts@get +getAccounts/);
  });

  it('keeps what a gateway exposes beside what is added', async () => {
    const url = 'http://127.0.0.1:4999/mcp';
    await out(
      'gateway',
      'create',
      '--service',
      'gw-1',
      '--env',
      'dev',
      '--gateway-url',
      url,
      '--auth-secret',
      'key',
    );
    expect(JSON.parse(await out('gateway', 'show', 'gw-1@dev', '--json'))).toMatchObject({
      url,
      auth: { type: 'bearer', secret: 'key' },
    });
    const target = ['--target-host', 'https://accounts.example.com'];
    await out('expose', 'gw-1', 'getAccounts', ...target);
    await out('gateway', 'edit', url, '--max-sensitivity-tier', 'confidential');
    expect(await out('expose', 'gw-1', 'deleteAccount')).toBe(
      'deleteAccount: exposed on gw-1\ngw-1 exposes 2 of the tools that the token covers.\n',
    );
    expect(await out('gateway', 'exposures', 'gw-1')).toMatch(/getAccounts/);
    expect(await out('gateway', 'config', 'gw-1')).toContain('targetHost: https://accounts.example.com');
    await out('expose', 'gw-1', 'deleteAccount', '--remove');
    expect(await out('gateway', 'exposures', 'gw-1')).not.toContain('deleteAccount');
    await out('gateway', 'edit', 'gw-1', '--no-auth');
    expect(await out('gateway', 'show', 'gw-1')).toMatch(/^auth: null$/m);
    await out('gateway', 'disable', 'gw-1');
  });

  it('lists what waits, and accepts it', async () => {
    expect(await out('changes', 'list')).toBe('Nothing waits.\n');
    await writeFile(
      file('accounts.yaml'),
      accounts(', { name: currency, in: query, required: true, schema: { type: string } }'),
    );
    await run(
      'import',
      file('accounts.yaml'),
      '--api',
      'accounts',
      '--service',
      'accounts-1.0.0',
      '--env',
      'dev',
    );
    expect(await out('changes', 'list')).toMatch(
      /^changed {3}tool accounts\/getAccounts .*\nwaits {5}tool getAccounts {2}2\.0\.0 {2}digest [0-9a-f]{12} {2}next: .*\nchanged {3}endpoint accounts\/accounts@get\n/,
    );
    const reason = ['--override', 'Nobody else is here.'];
    const refused = await run('changes', 'accept', 'getAccounts', ...reason);
    expect(refused).toMatchObject({
      code: exitCodes.refused,
      err: expect.stringMatching(
        /^400 invalid_body: Version 2\.0\.0 of getAccounts waits .* name the digest/,
      ),
    });
    const [, report = ''] = /GET …(\/tools\/\S+\/report)\./.exec(refused.err) ?? [];
    const { digest } = (await server().api<{ digest: string }>('GET', report)).body;
    const accept = (...more: string[]) =>
      run('changes', 'accept', 'getAccounts', ...reason, '--digest', ...more);
    expect(await accept(digest.slice(0, 7))).toMatchObject({ code: exitCodes.usage });
    expect(await accept(digest, 'deleteAccount')).toMatchObject({ code: exitCodes.usage });
    expect(await accept(digest, '--endpoint')).toMatchObject({ code: exitCodes.usage });
    expect(await accept('b0b0b0b0')).toMatchObject({
      code: exitCodes.refused,
      err: `No version that waits has a digest that begins with b0b0b0b0. Read what waits: GET …${report}.\n`,
    });
    expect((await accept(digest.slice(0, 8))).out).toMatch(/^tool getAccounts: accepted/);
    expect(await accept(digest)).toMatchObject({
      code: exitCodes.refused,
      err: expect.stringContaining('No version of it waits for a review.'),
    });
    expect(await out('changes', 'list')).toBe('Nothing waits.\n');
    expect(await run('changes', 'dismiss', 'accounts/getAccounts', '--field', 'description')).toMatchObject({
      code: exitCodes.refused,
      err: 'There is no conflict of description. Fields with one: none.\n',
    });
  });

  it('turns an offer down', async () => {
    const conflict = async (text: string) => {
      await out('endpoint', 'edit', 'deleteAccount', '--description', 'Closes it, they say.');
      await writeFile(file('accounts.yaml'), accounts().replace('Close an account.', text));
      await run(
        'import',
        file('accounts.yaml'),
        '--api',
        'accounts',
        '--service',
        'accounts-1.0.0',
        '--env',
        'dev',
      );
      expect(await out('changes', 'list')).toContain(
        `description: Closes it, they say. is kept, ${text} is offered by source`,
      );
    };
    await conflict('Ends an account.');
    expect(await out('changes', 'dismiss', 'deleteAccount', '--field', 'description')).toContain(
      'is settled: operator',
    );
    expect(await out('changes', 'list')).not.toContain('conflict');
    await conflict('Ends an account for good.');
    await out('changes', 'settle', 'deleteAccount', '--field', 'description', '--take', 'source');
    expect(await out('endpoint', 'show', 'deleteAccount')).toMatch(
      /^description: Ends an account for good\.$/m,
    );
  });

  it('makes records public, by what they are and are called, and no more', async () => {
    await out('skill', 'create', 'Refunds', '--content-markdown', 'Pay back.');
    await out('public-entry', 'create', 'skill/Refunds', '--description', 'How to pay back.');
    expect(await out('public-entry', 'list')).toMatch(/skill +Refunds +How to pay back/);
    await out('public-entry', 'edit', 'Refunds', '--name', 'refunds');
    expect(await out('public-entry', 'show', 'skill/refunds')).toContain('How to pay back.');
    await out('public-entry', 'remove', 'refunds');
    expect(await out('public-entry', 'list')).toContain('There is no public-entry here');
    expect((await runHere('public-entry', 'create', 'Refunds')).code).toBe(exitCodes.usage);
  });

  it('makes and removes webhooks', async () => {
    await out('webhook', 'create', '--webhook-url', 'https://hooks.example.com/a', '--secret', 'hook');
    expect(await out('webhook', 'list')).toContain('https://hooks.example.com/a');
    const asked = ['--secret', 'other', '--kinds', 'review-wanted', 'catalog-changed'];
    await out('webhook', 'edit', 'https://hooks.example.com/a', ...asked);
    expect(await out('webhook', 'show', 'https://hooks.example.com/a')).toContain('review-wanted');
    expect(await out('webhook', 'deliveries', 'https://hooks.example.com/a')).toBe('\n');
    await out('webhook', 'remove', 'https://hooks.example.com/a');
    expect(await out('webhook', 'list')).toBe('There is no webhook here that the token covers.\n');
  });

  it('teaches every command', async () => {
    const { code, out: listed } = await runHere('--help');
    expect(code).toBe(exitCodes.done);
    const commands = [...listed.matchAll(/^ {2}([a-z][a-z-]*) .*(?=\n)/gm)].map(([, name]) => name ?? '');
    expect(commands).toEqual(
      expect.arrayContaining(['serve', 'token', 'import', 'publish', 'catalog', 'api-version', 'verify']),
    );
    for (const command of commands.filter((name) => name !== 'help'))
      expect([command, (await runHere(command, '--help')).out]).toEqual([
        command,
        expect.stringMatching(/Examples?:/),
      ]);
  });

  it('has the commands of every noun, with an option for each member', async () => {
    for (const noun of [
      'agent',
      'api',
      'api-version',
      'endpoint',
      'tool',
      'skill',
      'gateway',
      'workflow',
      'category',
      'tag',
      'webhook',
      'public-entry',
    ]) {
      const help = await runHere(noun, '--help');
      expect(help.code).toBe(exitCodes.done);
      const verbs = ['list', 'show', 'edit', ...(noun === 'endpoint' ? [] : ['create'])];
      for (const verb of verbs)
        expect([noun, help.out]).toEqual([noun, expect.stringMatching(new RegExp(`^ {2}${verb} `, 'm'))]);
    }
    expect((await runHere('tool', 'edit', '--help')).out).toMatch(
      /--sensitivity-tier <text> .*\n[^]*--no-sensitivity-tier/,
    );
    expect(await runHere('tool', 'sing')).toMatchObject({ code: exitCodes.usage });
  });
});
