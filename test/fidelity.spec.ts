import { readFileSync } from 'node:fs';
import { asOthersReadIt, type TriedDocument } from './fidelity/documents.js';
import { wrongParts } from './fidelity/decoded-request.js';
import { type DescribedOperation, operationAt } from './fidelity/described-operations.js';
import { type TriedApi, triedApi } from './fidelity/judged-calls.js';
import { refusalsOf } from './fidelity/provider-rules.js';
import { recordedCall, type RecordedRequest } from './fidelity/recorded-call.js';
import { type FlatEndpoint, readFlat } from './flat-endpoints.js';

/** A smoke of `soak/fidelity`: a few documents, judged by our decoder alone, and that the judges see what is wrong. */
const everyStyle = 'test/fidelity/every-style.openapi.yaml';
const tried = (name: string): TriedDocument => ({
  name,
  format: 'openapi',
  document: readFileSync(name, 'utf8'),
});
const described = (document: object): TriedDocument => {
  return {
    name: 'described',
    format: 'openapi',
    document: JSON.stringify({ openapi: '3.1.0', ...document }),
  };
};
const failures = ({ calls }: TriedApi) => calls.filter(({ verdict }) => verdict !== 'right');

describe('tools that are imported', () => {
  it.each([
    [everyStyle, 13, 25],
    ['sample/account-service.openapi.yaml', 9, 13],
  ])('%s: every model takes them, and calls arrive as the document says', async (name, tools, calls) => {
    const api = await triedApi(tried(name), false);
    expect(api).toMatchObject({ tools, refusals: [], missing: [] });
    expect(failures(api)).toEqual([]);
    expect(api.calls).toHaveLength(calls);
  });

  it('are tried as GraphQL, too', async () => {
    const document = 'type Query { pets(first: Int!, names: [String!]): [String] }';
    const api = await triedApi({ name: 'pets', format: 'graphql', document }, false);
    expect(api.calls.map(({ verdict }) => verdict)).toEqual(['right', 'right']);
  });
});

describe('the judge of requests', () => {
  const key = '/a/{id}@post';
  const named = (name: string, place: string, more: object = {}) => ({
    ...{ name, in: place, required: true, schema: { type: 'string' } },
    ...more,
  });
  const texts = { schema: { type: 'array', items: { type: 'string' } } };
  const document = described({
    paths: {
      '/a/{id}': {
        post: {
          parameters: [
            named('id', 'path'),
            named('q', 'query', texts),
            named('X-H', 'header'),
            named('c', 'cookie'),
          ],
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: { type: 'object', properties: { n: { type: 'integer' } } } },
            },
          },
        },
      },
    },
  });
  const args = { id: 'a/b', q: ['1,2', '3'], 'X-H': 'h', c: 'd e', n: 4 };

  async function judgedAs(change: (request: RecordedRequest) => Partial<RecordedRequest>): Promise<string[]> {
    const { endpoints } = await readFlat(document.document, { format: 'auto' });
    const read = asOthersReadIt(document) ?? {};
    const endpoint = endpoints.find((each) => each.key === key) as FlatEndpoint;
    const operation = operationAt(key, read) as DescribedOperation;
    const request = (await recordedCall(endpoint, args)) as RecordedRequest;
    const call = { operation, document: read, routes: endpoint.parameters, args };
    return wrongParts({ ...call, request: { ...request, ...change(request) } }).map(({ kind }) => kind);
  }

  const bytes = (text: string) => ({ body: Buffer.from(text) });
  it.each<[string, (request: RecordedRequest) => Partial<RecordedRequest>, string[]]>([
    ['nothing', () => ({}), []],
    ['the method', () => ({ method: 'PUT' }), ['method']],
    ['a value of the path', ({ address }) => ({ address: address.replace('a%2Fb', 'ab') }), ['path: simple']],
    [
      'the path',
      ({ address }) => ({ address: address.replace('%2F', '/') }),
      ['path: not that of the operation'],
    ],
    ['a comma of a value', ({ address }) => ({ address: address.replace('%2C', '&q=') }), ['query: form']],
    ['the list', ({ address }) => ({ address: address.replace('&q=', ',') }), ['query: form']],
    [
      'a name of the query',
      ({ address }) => ({ address: `${address}&z=1` }),
      ['query: nothing of the operation'],
    ],
    ['a header', ({ headers }) => ({ headers: { ...headers, 'x-h': 'i' } }), ['header']],
    [
      'another header',
      ({ headers }) => ({ headers: { ...headers, x: 'i' } }),
      ['header: nothing of the operation'],
    ],
    ['a cookie', ({ headers }) => ({ headers: { ...headers, cookie: 'c=d' } }), ['cookie: form']],
    ['the body', () => bytes('{"n":"4"}'), ['body: JSON']],
    [
      'the type of the body',
      ({ headers }) => ({ headers: { ...headers, 'content-type': 'text/plain' } }),
      ['body: a content type that the document does not have'],
    ],
  ])('finds where %s is another', async (_, change, kinds) => {
    expect(await judgedAs(change)).toEqual(kinds);
  });

  it('finds what is not offered at all', async () => {
    const { endpoints } = await readFlat(document.document, { format: 'auto' });
    const [endpoint] = endpoints as [FlatEndpoint];
    const request = (await recordedCall(endpoint, args)) as RecordedRequest;
    const read = asOthersReadIt(document) ?? {};
    const call = { operation: operationAt(key, read) as DescribedOperation, document: read, args, request };
    const { q: _, ...routes } = endpoint.parameters;
    expect(wrongParts({ ...call, routes }).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['query: a required parameter was not sent', 'query: nothing of the operation']),
    );
  });
});

describe('the judge of tools', () => {
  const rules = (name: string, schema: object) =>
    refusalsOf({ name, inputSchema: { type: 'object', ...schema } }).map(
      ({ provider, rule }) => `${provider}: ${rule.replace(/: .*/, '')}`,
    );
  const self = { $ref: '#/$defs/A' };
  const every = (rule: string) => ['anthropic', 'openai', 'gemini'].map((provider) => `${provider}: ${rule}`);

  it.each<[string, object, string[]]>([
    ['fits', { properties: { a: { type: 'array', items: {} } } }, []],
    ['fits', { properties: { a: self }, $defs: { A: { type: 'object', properties: { a: self } } } }, []],
    ['1st', {}, ['gemini: name of the tool']],
    ['a b', {}, every('name of the tool')],
    ['tool', { properties: { 'a[]': {} } }, ['anthropic: name of an argument']],
    [
      'tool',
      { properties: { a: { type: 'array' } } },
      ['openai: an array without items', 'gemini: an array without items'],
    ],
    ['tool', { type: 'string' }, every('the root is no object')],
    ['tool', { anyOf: [{}] }, ['anthropic: anyOf at the root', 'openai: anyOf at the root']],
    ['tool', { properties: { a: self } }, every('a reference that leads nowhere')],
    ['tool', { properties: { a: { type: 'nothing' } } }, every('no schema of draft 2020-12')],
    ['tool', { properties: { a: { enum: [] } } }, every('an enum without values')],
    ['tool', { properties: { a: { maximum: 2 ** 63 } } }, every('a number that JSON does not carry exactly')],
    ['tool', { $defs: { A: self } }, every('a circle of allOf, anyOf, oneOf or $ref alone')],
    [
      'tool',
      { $defs: { A: { required: ['a'], properties: { a: self } } } },
      every('a circle of required members'),
    ],
  ])('says of %s with %j who refuses it', (name, schema, refused) => {
    expect(rules(name, schema)).toEqual(refused);
  });
});
