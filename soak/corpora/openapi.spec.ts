import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brokenLaws, compile, corpus, describeWithCorpus, readCorpus } from '../../test/import-laws.js';
import { UnreadableDocument } from '../../src/documents/findings.js';
import { readFlat } from '../../test/flat-endpoints.js';

interface Expected {
  readonly operations: number;
  readonly specVersion: string;
  readonly title: string;
  readonly deprecated: number;
  readonly byMethod: Record<string, number>;
  readonly opsWithUndeclaredPathParams: number | null;
  readonly webhooks: number;
}

/** Calls that an API would take, and some that it would not. */
const sid = (prefix: string) => prefix + '0123456789abcdef'.repeat(2);
const calls: [file: string, key: string, valid: object, invalid: object[]][] = [
  [
    'petstore-3.0.yaml',
    '/pet@post',
    { name: 'Rex', photoUrls: [], status: 'sold' },
    [{ name: 'Rex' }, { name: 1, photoUrls: [] }, { name: 'Rex', photoUrls: [], status: 'lost' }],
  ],
  [
    'petstore-3.0.yaml',
    '/user/{username}@put',
    { username__path: 'ann', username: 'anna', userStatus: 1 },
    [{ username: 'anna' }, { username__path: 'ann', userStatus: 'x' }],
  ],
  [
    'petstore-3.0.yaml',
    '/pet/{petId}/uploadImage@post',
    { petId: 7, additionalMetadata: 'x', body: 'aGk=' },
    [{ body: 'aGk=' }, { petId: 'seven' }, { petId: 7, unknown: 1 }],
  ],
  [
    'petstore-2.0.json',
    '/pet/{petId}@post',
    { petId: 3, name: 'Rex', status: 'sold' },
    [{ name: 'Rex' }, { petId: '3' }],
  ],
  [
    'petstore-2.0.json',
    '/pet/findByStatus@get',
    { status: ['sold', 'pending'] },
    [{}, { status: 'sold' }, { status: ['lost'] }],
  ],
  [
    'petstore-2.0.json',
    '/user/createWithArray@post',
    { body: [{ username: 'ann' }] },
    [{}, { body: { username: 'ann' } }, { body: [{ id: 'x' }] }],
  ],
  ['petstore-2.0.json', '/store/order/{orderId}@get', { orderId: 10 }, [{}, { orderId: 11 }, { orderId: 0 }]],
  [
    'petstore-3.1.json',
    '/user/login@get',
    { username: 'a', password: 'b' },
    [{ username: 'a' }, { username: 'a', password: 'b', more: 1 }],
  ],
  [
    'petstore-3.1.json',
    '/pet@post',
    { name: 'Rex', photoUrls: ['u'] },
    [{}, { name: 'Rex', photoUrls: 'u' }],
  ],
  [
    'museum-3.1.yaml',
    '/special-events@post',
    { name: 'n', location: 'l', eventDescription: 'd', dates: ['2026-11-21'], price: 5 },
    [{ name: 'n' }, { name: 'n', location: 'l', eventDescription: 'd', dates: ['soon'], price: 5 }],
  ],
  [
    'museum-3.1.yaml',
    '/tickets@post',
    { ticketType: 'event', ticketDate: '2026-11-21', eventId: 'f3e0e76e-e4a8-466e-ab9c-ae36c15b8e97' },
    [{ ticketType: 'event' }, { ticketType: 'gala', ticketDate: '2026-11-21' }],
  ],
  ['museum-3.1.yaml', '/museum-hours@get', { limit: 30 }, [{ limit: 31 }, { startDate: 'today' }]],
  [
    'harbor-2.0.yaml',
    '/audit-logs@get',
    { page: 1, page_size: 100 },
    [{ page_size: 101 }, { 'X-Request-Id': '' }],
  ],
  ['harbor-2.0.yaml', '/replication/policies/{id}@get', { id: 1 }, [{}, { id: 'one' }]],
  ['harbor-2.0.yaml', '/users/{user_id}@put', { user_id: 4, email: 'a@b.c' }, [{ email: 'a@b.c' }]],
  [
    'twilio-api-v2010.json',
    '/2010-04-01/Accounts/{AccountSid}/Calls/{Sid}.json@post',
    { AccountSid: sid('AC'), Sid: sid('CA'), Status: 'completed' },
    [
      { AccountSid: sid('AC') },
      { AccountSid: sid('XX'), Sid: sid('CA') },
      { AccountSid: sid('AC'), Sid: sid('CA'), Status: 'gone' },
    ],
  ],
  [
    'twilio-api-v2010.json',
    '/2010-04-01/Accounts.json@get',
    { PageSize: 1000 },
    [{ PageSize: 1001 }, { Status: 'x' }],
  ],
  [
    'discord-3.1.json',
    '/stage-instances@post',
    { topic: 't', channel_id: '12', privacy_level: null },
    [{ topic: 't' }, { topic: '', channel_id: '12' }, { topic: 't', channel_id: 'x' }],
  ],
  [
    'discord-3.1.json',
    '/lobbies/{lobby_id}/channel-linking@patch',
    { lobby_id: '1', channel_id: null },
    [{}, { lobby_id: '01' }],
  ],
  [
    'parameter-collision.json',
    '/anything/all-param-types/{id}/{id2}@post',
    { id__path: 1, id2: 2, id: 3, status: 'sold', cookieInt: 4 },
    [
      { id: 3, id2: 2 },
      { id__path: 'x', id2: 2 },
      { id__path: 1, id2: 2, status: 'gone' },
    ],
  ],
  ['polymorphism.json', '/pets@patch', { pet_type: 'Dog', bark: true }, [{ bark: true }, { pet_type: 1 }]],
  ['polymorphism.json', '/anything/one-of-primitive@post', { body: 5 }, [{ body: {} }, { more: 1 }]],
  [
    'form-data-file.json',
    '/formdata/stream/uploadfile@post',
    { fileContent: 'aGk=', fileName: 'hi.txt' },
    [{ fileContent: 'aGk=' }, { fileContent: 1, fileName: 'x' }],
  ],
  [
    'no-operation-ids.json',
    '/animal/search@get',
    { pageNumber: 0, pageSize: 10 },
    [{ pageNumber: 'x' }, { page: 1 }],
  ],
];

describeWithCorpus('OpenAPI documents of the corpus', () => {
  const expected = existsSync(corpus)
    ? (JSON.parse(readFileSync(join(corpus, 'openapi/expected.json'), 'utf8')) as Record<string, Expected>)
    : {};
  const files = Object.keys(expected).filter((file) => file !== 'malicious-yaml-alias.yaml');

  it.each(files)('%s has the operations that it is known to have, and keeps the laws', async (file) => {
    const document = await readFlat(readCorpus(`openapi/${file}`), { format: 'auto' });
    const truth = expected[file] as Expected;
    expect(document.formatVersion).toBe(truth.specVersion);
    expect(document.title).toBe(truth.title);
    expect(document.endpoints).toHaveLength(truth.operations);
    expect(countByMethod(document.endpoints)).toEqual(truth.byMethod);
    const deprecated = document.endpoints.filter(({ lifecycleStatus }) => lifecycleStatus === 'deprecated');
    expect(deprecated).toHaveLength(truth.deprecated);
    expect(brokenLaws(document)).toEqual([]);
    const codes = document.warnings.map(({ code }) => code);
    expect(codes.filter((code) => code === 'webhooks_left_out')).toHaveLength(truth.webhooks > 0 ? 1 : 0);
    if (truth.opsWithUndeclaredPathParams !== null) {
      expect(codes.filter((code) => code === 'path_parameter_undeclared')).toHaveLength(
        truth.opsWithUndeclaredPathParams,
      );
    }
  });

  it.each(files)('%s twice is the same, word for word', async (file) => {
    const bytes = readCorpus(`openapi/${file}`);
    const [one, other] = [
      await readFlat(bytes, { format: 'auto' }),
      await readFlat(bytes, { format: 'openapi' }),
    ];
    expect(JSON.stringify(other)).toBe(JSON.stringify(one));
  });

  it('refuses the alias that contains itself', async () => {
    const reading = readFlat(readCorpus('openapi/malicious-yaml-alias.yaml'), { format: 'auto' });
    await expect(reading).rejects.toMatchObject({ code: 'document_contains_itself', pointer: '/info/x-bye' });
    await expect(reading).rejects.toBeInstanceOf(UnreadableDocument);
  });

  it('keeps code in a path as text, and out of the name', async () => {
    const { endpoints } = await readFlat(readCorpus('openapi/malicious-code-injection.json'), {
      format: 'auto',
    });
    expect(endpoints[0]).toMatchObject({ name: 'get_a', method: 'get' });
    expect(endpoints[0]?.key).toContain('child_process');
  });

  it.each(calls)('%s takes the calls that it is meant to take', async (file, key, valid, invalid) => {
    const { endpoints } = await readFlat(readCorpus(`openapi/${file}`), { format: 'auto' });
    const endpoint = endpoints.find((candidate) => candidate.key === key);
    const accepts = compile(endpoint?.inputSchema ?? {});
    expect(accepts(valid)).toBe(true);
    for (const wrong of invalid) expect([wrong, accepts(wrong)]).toEqual([wrong, false]);
  });
});

function countByMethod(endpoints: readonly { method: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { method } of endpoints) counts[method] = (counts[method] ?? 0) + 1;
  return counts;
}
