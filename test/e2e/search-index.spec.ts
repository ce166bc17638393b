import { FollowerRunner } from '../../src/kernel/follower-runner.js';
import { Heads } from '../../src/kernel/heads.js';
import { DATABASE, type Database } from '../../src/kernel/sql.js';
import type { Caller } from '../../src/platform/auth/caller.js';
import { SlowReads } from '../../src/platform/work/slow-reads.js';
import { PromptVectors } from '../../src/search/embeddings/prompt-vectors.service.js';
import { HostIndexes } from '../../src/search/host-search/host-indexes.service.js';
import { HostSearch } from '../../src/search/host-search/host-search.service.js';
import type { SearchBody } from '../../src/search/search.schemas.js';
import { overheard } from '../integration/overheard.js';
import { until } from '../until.js';
import { eachOwnServer } from './own-server.js';
import { hostId } from './server.js';

const subjects = ['account', 'balance', 'transfer', 'loan', 'invoice', 'card', 'customer', '贷款'];
const verbs = ['get', 'list', 'create', 'cancel', 'approve'];

const operationOf = (apiId: string, verb: string, subject: string) => ({
  operationId: `${verb}_${subject}_${apiId}`,
  description: `Use this to ${verb} what a bank knows of the ${subject}.`,
  tags: [subject],
  parameters: [{ name: `${subject}No`, in: 'query', schema: { type: 'string' }, description: 'Which one.' }],
  responses: {},
});

const documentOf = (apiId: string) => ({
  openapi: '3.1.0',
  info: { title: 'Bank', version: '1' },
  paths: Object.fromEntries(
    subjects.flatMap((subject) =>
      verbs.map((verb) => [`/${verb}/${subject}`, { get: operationOf(apiId, verb, subject) }]),
    ),
  ),
});

const prompts = [
  'show the balnace of my account, please',
  'which invoices of this customer are open?',
  '我想贷款',
  'approve a loan and cancel the card '.repeat(40),
  'a'.repeat(20_000),
  'a '.repeat(10_000),
  `balance a${'\u0301'.repeat(9_000)}${'\u0323'.repeat(9_000)}`,
  '😀 (transfer|.*)+$ 😀',
  'перевести деньги',
];

const rounds = ['spring', 'summer', 'autumn', 'winter'];

const filters: readonly Partial<SearchBody>[] = [
  {},
  { serviceId: 'lending' },
  { filters: { tags: ['loan', 'card'] } },
  { filters: { maxSensitivityTier: 'internal' }, context: 'accountNo' },
  { kinds: ['tool', 'skill', 'endpoint'], limit: 3, explain: true },
];

eachOwnServer((server) => {
  const part = <T>(token: symbol | (abstract new (...known: never[]) => T)): T =>
    server().app.get<T>(token, { strict: false });
  const ask = async (method: string, path: string, body?: object): Promise<object> => {
    const answer = await server().api<object>(method, path, body === undefined ? {} : { body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body;
  };

  /** A search of its own over the same database, with indexes of so many bytes. */
  const searchWith = (searchIndexBytes: number) => {
    const indexes = new HostIndexes(part<Database>(DATABASE), part<Heads>(Heads), { searchIndexBytes });
    const search = new HostSearch(
      part<Database>(DATABASE),
      part<FollowerRunner>(FollowerRunner),
      part<PromptVectors>(PromptVectors),
      part<SlowReads>(SlowReads),
      indexes,
    );
    return { indexes, search };
  };

  const callers = (): readonly Caller[] => {
    const all: Caller = {
      ...{ actor: { user: 'olga' }, issuer: 'test', hostId, fingerprint: 'all', expiresAt: Infinity },
      ...{ services: 'all', environments: ['dev'], scopes: new Set(['catalog:read']) },
    };
    return [
      all,
      { ...all, services: ['accounts'], fingerprint: 'few' },
      { ...all, maxTier: 'public', fingerprint: 'public' },
      { ...all, environments: ['prod'], fingerprint: 'prod' },
    ];
  };

  it('is answered to all who ask at once before there is an index, though rows answer one at a time', async () => {
    const version = { apiVersion: '1', serviceId: 'many', envTag: 'dev' };
    await ask('POST', '/imports', {
      ...{ api: { apiId: 'many' }, version, document: documentOf('many'), publish: true },
    });
    await server().settled();
    const database = part<Database>(DATABASE);
    let makeIt = (): void => undefined;
    const held = new Promise<void>((resolve) => (makeIt = resolve));
    const slow: Database = {
      ...overheard(database, () => undefined),
      of: (host) => ({
        ...database.of(host),
        async query(...call) {
          await held;
          return database.of(host).query<never>(...call);
        },
      }),
    };
    const indexes = new HostIndexes(slow, part<Heads>(Heads), { searchIndexBytes: 10_000_000 });
    const search = new HostSearch(
      database,
      part<FollowerRunner>(FollowerRunner),
      part<PromptVectors>(PromptVectors),
      new SlowReads(1),
      indexes,
    );
    const question: SearchBody = {
      ...{ prompt: 'approve a loan', kinds: ['tool'], limit: 5, explain: false },
    };
    const [caller] = callers() as [Caller];
    const answers = Array.from({ length: 60 }, () => search.search(caller, question));
    const first = await Promise.race(answers);
    makeIt();
    expect(first.items).toHaveLength(5);
    for (const answer of await Promise.all(answers)) expect(answer).toEqual(first);
    expect(indexes.peek(hostId)).toBeDefined();
  });

  it('is answered alike from memory and from rows, after any writes and wherever an index has gone', async () => {
    const kept = searchWith(64 * 1024 * 1024);
    const small = searchWith(1_000);
    const rows = searchWith(0);
    for (const [apiId, serviceId] of [
      ['bank', 'accounts'],
      ['lender', 'lending'],
    ] as const) {
      const version = { apiVersion: '1', serviceId, envTag: 'dev' };
      await ask('POST', '/imports', {
        ...{ api: { apiId }, version, document: documentOf(apiId), publish: true, createTags: true },
      });
    }
    const { items: tools } = (await ask('GET', '/tools?limit=100')) as { items: { toolId: string }[] };
    const untilMade = () =>
      until(
        () => kept.indexes.of(hostId),
        (index) => index !== undefined,
      );
    const compare = async () => {
      for (const caller of callers()) {
        for (const [at, prompt] of prompts.entries()) {
          const question = {
            prompt,
            kinds: ['tool'],
            limit: 10,
            explain: false,
            ...filters[at % filters.length],
          };
          const expected = await rows.search.search(caller, question as SearchBody);
          expect(await kept.search.search(caller, question as SearchBody)).toEqual(expected);
          if (at === 0) expect(await small.search.search(caller, question as SearchBody)).toEqual(expected);
        }
      }
    };
    await server().settled();
    await compare();
    await untilMade();
    await compare();
    expect(await small.indexes.of(hostId)).toBeUndefined();
    for (const [round, season] of rounds.entries()) {
      const [one, other, gone] = [tools[round], tools[round + 20], tools[round + 40]];
      await ask('PATCH', `/tools/${one?.toolId ?? ''}`, {
        examplePrompts: ['open my invoices', `round ${String(round)}`],
      });
      await ask('PATCH', `/tools/${other?.toolId ?? ''}`, {
        description: `Gives the balance of ${season}.`,
      });
      await ask('POST', `/tools/${gone?.toolId ?? ''}/deactivate`);
      await ask('POST', '/skills', {
        ...{
          name: `Cards ${String(round)}`,
          description: 'Cancel a card.',
          contentMarkdown: 'loan',
        },
      });
      await server().settled();
      if (round === 2) {
        kept.indexes.drop(hostId);
        await compare();
      }
      await untilMade();
      await compare();
    }
    const found = await kept.search.search(callers()[0] as Caller, {
      ...{ prompt: 'gives the balance of winter', kinds: ['tool'], limit: 1, explain: false },
    });
    expect(found.items[0]?.description).toBe('Gives the balance of winter.');
  });

  it('is answered alike where one kind knows a word that another may take for misspelt', async () => {
    const paths = { '/t': { get: { operationId: 'tango', description: 'Dance it.', responses: {} } } };
    await ask('POST', '/imports', {
      api: { apiId: 'dances' },
      version: { apiVersion: '1', serviceId: 'dances', envTag: 'dev' },
      document: { openapi: '3.1.0', info: { title: 'Dances', version: '1' }, paths },
      publish: true,
    });
    for (const name of ['Mango', 'gitlab'])
      await ask('POST', '/skills', { name, description: 'As told.', contentMarkdown: 'As told.' });
    await server().settled();
    const [kept, rows] = [searchWith(64 * 1024 * 1024), searchWith(0)];
    await until(
      () => kept.indexes.of(hostId),
      (index) => index !== undefined,
    );
    const caller = callers()[0] as Caller;
    const namesOf = async (prompt: string): Promise<string[]> => {
      const question: SearchBody = { prompt, kinds: ['tool', 'skill'], limit: 10, explain: false };
      const answer = await kept.search.search(caller, question);
      expect(answer).toEqual(await rows.search.search(caller, question));
      return answer.items.map(({ name }) => name);
    };
    expect((await namesOf('mango')).sort()).toEqual(['Mango', 'tango']);
    expect(await namesOf(`${'aB '.repeat(2_000)}GitLab`)).toContain('gitlab');
  });
});
