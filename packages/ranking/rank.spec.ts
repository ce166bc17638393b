import { analyse, documentOf, type Searchable, statisticsOf } from './document.js';
import { lexicalVector } from './lexical-vector.js';
import { rank, type Candidate } from './rank.js';
import { toolSearchable } from './tool-texts.js';
import { isInformational } from './weight.js';
import { dimension } from './word-vectors.js';

const tool = (id: string, name: string, description: string, more: Partial<Searchable> = {}): Searchable => ({
  id,
  texts: { name, description },
  ...more,
});

function ranked(
  prompt: string,
  searchables: readonly Searchable[],
  more: Record<string, Partial<Candidate>> = {},
) {
  const documents = searchables.map((each) => documentOf(each.id, analyse(each)));
  const candidates = documents.map((document) => ({ document, ...more[document.id] }));
  return rank(prompt, candidates, statisticsOf(documents));
}

const ids = (...given: Parameters<typeof ranked>): string[] =>
  ranked(...given).map(({ candidate }) => candidate.document.id);

const bank = [
  tool('accounts', 'listAccounts', 'Lists the accounts of a customer.'),
  tool('balance', 'getBalance', 'Shows how much money is on an account.'),
  tool('transfer', 'createTransfer', 'Sends money from one account to another.'),
];

describe('ranking', () => {
  it('puts what the prompt names first and leaves out what has nothing to do with it', () => {
    expect(ids('show the balance', bank)[0]).toBe('balance');
    expect(ids('weather', bank)).toEqual([]);
  });

  it('does not depend on the order of the documents', () => {
    expect(ids('money account', [...bank].reverse())).toEqual(ids('money account', bank));
  });

  it('takes the first words alone for misspelt, so that a text of made-up words is not compared with everything', () => {
    const madeUp = Array.from(
      { length: 40 },
      (_, index) => `xq${'abcdefgh'.repeat(1 + (index % 3))}${'z'.repeat(index)}`,
    );
    expect(ids(['trasnfer', ...madeUp].join(' '), bank)).toEqual(['transfer']);
    expect(ids([...madeUp, 'trasnfer'].join(' '), bank)).toEqual([]);
    expect(ids([...madeUp, 'transfer'].join(' '), bank)).toEqual(['transfer']);
  });

  it('gives scores between 0 and 1, before weights', () => {
    for (const { keywordScore } of ranked('lists the accounts of a customer', bank)) {
      expect(keywordScore).toBeGreaterThan(0);
      expect(keywordScore).toBeLessThanOrEqual(1);
    }
  });

  it('multiplies by semantic weight, priority, lifecycle, and safety where somebody only asks', () => {
    const twins = [tool('a', 'readMail', 'Mail.'), tool('b', 'readMail', 'Mail.')];
    expect(ids('mail', twins, { b: { semanticWeight: 2 } })[0]).toBe('b');
    expect(ids('mail', twins, { b: { priority: 5 } })[0]).toBe('b');
    expect(ids('mail', twins, { b: { linkPriority: 5 } })[0]).toBe('b');
    expect(ids('mail', twins, { a: { lifecycleStatus: 'deprecated' } })[0]).toBe('b');
    expect(ids('show my mail', twins, { b: { readOnly: true } })[0]).toBe('b');
    expect(ids('send my mail', twins, { b: { readOnly: true } })[0]).toBe('a');
    expect(ids('mail', twins, { b: { semanticWeight: 0 } })).toEqual(['a', 'b']);
  });

  it('adds what vectors say, and goes without where there is none', () => {
    const [near, far] = ranked('mail', [tool('a', 'x', 'mail'), tool('b', 'y', 'mail')], {
      a: { cosine: -0.5 },
      b: { cosine: 0.9 },
    });
    expect([near?.candidate.document.id, far?.vectorScore]).toEqual(['b', 0]);
    expect(ranked('mail', [tool('a', 'x', 'mail')])[0]?.vectorScore).toBeNull();
  });

  it('fills what is open beside a text by the nearest example, which is worth less than the text', () => {
    const scoreOf = (cosine?: number, exampleCosine?: number) =>
      ranked('mail', [tool('a', 'x', 'mail')], { a: { cosine, exampleCosine } })[0]?.vectorScore ?? NaN;
    expect(scoreOf(0.5, 0.5)).toBeCloseTo(1 - 0.5 * 0.65, 10);
    expect([scoreOf(0.5), scoreOf(0.5, -0.5), scoreOf(0.5, 0)]).toEqual([0.5, 0.5, 0.5]);
    expect(scoreOf(undefined, 0.8)).toBeCloseTo(0.56, 10);
    expect(scoreOf(1, 1)).toBe(1);
  });
});

describe('what is asked for', () => {
  it('counts more than the words that people put around any request', () => {
    const assistant = tool('assistant', 'askAssistant', 'Assists and helps whoever is interested.');
    expect(
      ids('Hello! Could you kindly assist me, I am interested in transfers.', [...bank, assistant])[0],
    ).toBe('transfer');
    const [first] = ranked('kindly assist with a transfer', [...bank, assistant]);
    const shares = Object.fromEntries(first?.parts.matched.map(({ word, share }) => [word, share]) ?? []);
    expect(shares).toEqual({ transf: expect.closeTo(2 / 3) as unknown });
  });

  it('finds brands however their case is written, on both sides', () => {
    const brands = [
      tool('lab', 'listProjects', 'Lists the projects of GitLab.'),
      tool('actions', 'runGitHubActions', 'Starts a run.'),
      tool('small', 'listGists', 'Lists what is kept on github.'),
    ];
    expect(ids('gitlab', brands)).toEqual(['lab']);
    expect(ids('github actions', brands)[0]).toBe('actions');
    expect(ids('GitHub', brands).toSorted()).toEqual(['actions', 'lab', 'small']);
  });

  it.each([
    ['gitlab', 'GitLab', 'gitlab_mirror_cleanup_job'],
    ['github actions', 'GitHubActions', 'github_actions_mirror_cleanup_job'],
    ['oauth2', 'OAuth2', 'oauth2_mirror_cleanup_job'],
    ['s3bucket', 'S3Bucket', 's3bucket_mirror_cleanup_job'],
  ])('takes a brand for the whole name that it is: %s', (prompt, brand, longer) => {
    expect(ids(prompt, [tool('longer', longer, 'Runs.'), tool('brand', brand, 'Runs.')])[0]).toBe('brand');
  });

  it.each([
    ['pdf', 'PDFs'],
    ['PDFs', 'pdf'],
    ['apis', 'APIs'],
    ['APIs', 'api'],
    ['IPv6', 'ipv6'],
    ['githubactions', 'GitHubActions'],
  ])('finds with %s what is called %s', (prompt, name) => {
    expect(ids(prompt, [tool('a', name, ''), tool('b', 'weather', '')])).toEqual(['a']);
  });

  it('counts more where it is all of a name', () => {
    const parking = [
      tool('exact', 'findParking', 'Places.'),
      tool('longer', 'findParkingOfTrucksByOwner', 'Places.'),
    ];
    const [first, second] = ranked('find parking', parking);
    expect([first, second].map((each) => each?.parts.name)).toEqual([1, 0.5]);
    expect(first?.candidate.document.id).toBe('exact');
  });
});

describe('example prompts', () => {
  const noise = Array.from({ length: 200 }, (_, index) => `fetch thing number ${index} of the money archive`);

  it('help at once', () => {
    const taught = [
      ...bank,
      tool('shop', 'purchase', 'Order entry.', { examples: ['get me a pair of shoes'] }),
    ];
    expect(ids('I need shoes', taught)[0]).toBe('shop');
  });

  it('say more together than the one most like the prompt', () => {
    const one = tool('a', 'payOut', 'Pays.', { examples: ['wire my savings'] });
    const more = { examples: ['wire my savings', 'send a gift abroad', 'pay funds out'] };
    expect(ids('wire funds abroad', [...bank, one, tool('b', 'payOut', 'Pays.', more)])[0]).toBe('b');
  });

  it('vote, the five nearest', () => {
    const examples = Array.from(
      { length: 9 },
      (_, index) => `wire funds ${'abroad '.repeat(index % 2)}on day ${index}`,
    );
    const [found] = ranked('wire funds abroad', [...bank, tool('t', 'payOut', 'Pays.', { examples })]);
    const votes = found?.parts.votes ?? [];
    expect(votes).toHaveLength(5);
    expect(votes).toEqual([...votes].sort((a, b) => b - a));
    expect(found?.parts.example).toBeCloseTo(1 - votes.reduce((open, vote) => open * (1 - vote), 1));
  });

  it('drown nothing, however many there are', () => {
    const before = ids('how much money is on my account', bank);
    const crowded = [...bank, tool('archive', 'openArchive', 'Opens it.', { examples: noise })];
    expect(ids('how much money is on my account', crowded).slice(0, 1)).toEqual(before.slice(0, 1));
  });

  it('leave the one that fits as good as it was alone', () => {
    const fitting = 'please wire funds abroad';
    const score = (examples: readonly string[]) =>
      ranked('wire funds abroad', [...bank, tool('t', 'payOut', 'Pays.', { examples })])[0]?.parts.example ??
      0;
    expect(score([fitting, ...noise])).toBeGreaterThan(0.8 * score([fitting]));
  });
});

describe('built-in vectors', () => {
  const flats = [
    tool('words', 'listFlats', 'Lists flats.'),
    tool('meaning', 'listHomes', 'Lists flats to rent.'),
    tool('unlike', 'countFlats', 'Counts.'),
  ].map((each) => documentOf(each.id, analyse(each)));
  const cosines: Readonly<Record<string, number>> = { words: 0.2, meaning: 0.9 };
  const scores = (prompt: string, given = cosines) => {
    const candidates = flats.map((document) => ({ document, cosine: given[document.id] }));
    const found = rank(prompt, candidates, statisticsOf(flats));
    return Object.fromEntries(found.map(({ candidate, score }) => [candidate.document.id, score]));
  };

  it('lift what is near in meaning, by a share of what the best words are worth, however long the prompt is', () => {
    for (const prompt of ['flats', `flats, and ${'nobody has such words in any of these '.repeat(20)}`]) {
      const [alone, lifted] = [scores(prompt, {}), scores(prompt)];
      const most = Math.max(...Object.values(alone));
      for (const [id, cosine] of Object.entries({ ...cosines, unlike: 0 })) {
        expect(lifted[id]).toBeCloseTo(0.57 * (alone[id] ?? 0) + 0.43 * most * cosine, 10);
      }
    }
  });

  it('find nothing where no word does', () => {
    expect(scores('apartments')).toEqual({});
  });
});

describe('the lexical vector', () => {
  const dot = (a: Float32Array, b: Float32Array) =>
    a.reduce((sum, each, index) => sum + each * (b[index] ?? 0), 0);

  it('has the dimension of the catalog, length 1, and is the same every time', () => {
    const vector = lexicalVector('list accounts');
    expect(vector).toHaveLength(dimension);
    expect(dot(vector, vector)).toBeCloseTo(1, 5);
    expect(lexicalVector('list accounts')).toEqual(vector);
    expect(dot(lexicalVector(''), lexicalVector(''))).toBe(0);
  });

  it('is nearer to what shares words or parts of words', () => {
    const near = dot(lexicalVector('bank account'), lexicalVector('accounting of banks'));
    expect(near).toBeGreaterThan(dot(lexicalVector('bank account'), lexicalVector('weather in Rome')) + 0.2);
  });
});

it('reads the texts of a schema wherever they stand, and no deeper than is sensible', () => {
  const inputSchema = {
    properties: {
      drink: { description: 'What to drink.', properties: { size: { enum: ['small', 'large'] } } },
      extras: { type: 'array', items: { anyOf: [{ const: 'milk' }, { description: 'Something else.' }] } },
    },
  };
  const { texts } = toolSearchable({
    toolId: 't',
    name: 'n',
    description: '',
    inputSchema,
    routingMetadata: {},
  });
  expect(texts).toMatchObject({
    parameters: 'drink \nsize \nextras',
    values: 'small \nlarge \nmilk',
    details: 'What to drink. \nSomething else.',
  });
  let deep: object = { description: 'bottom' };
  for (let depth = 0; depth < 1000; depth += 1) deep = { properties: { p: deep } };
  expect(
    toolSearchable({ toolId: 't', name: 'n', description: '', inputSchema: deep, routingMetadata: {} }).texts
      .details,
  ).toBe('');
});

it.each([
  ['What is my balance?', true],
  ['show all orders', true],
  ['cancel my order', false],
  ['can you send it', false],
])('%s only asks: %s', (prompt, expected) => {
  expect(isInformational(prompt)).toBe(expected);
});
