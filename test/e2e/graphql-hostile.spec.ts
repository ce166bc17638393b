import { once } from 'node:events';
import { createServer, type Server as HttpServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { CalledSpecs } from './called-specs.js';
import { fresh, guardsWorld } from './guards-world.js';
import { issuesSchema } from './issues-api.js';
import { eachServer } from './server.js';

/** Operations of GraphQL whose service answers what it should not: each failure at its level, and none that holds the gateway. */

eachServer((server) => {
  const { ask } = guardsWorld(server);
  const [issues, getIssue] = [fresh('issues'), fresh('get_issue')];
  const specs = new CalledSpecs(server, ask);
  let service: HttpServer;
  let answer: (response: ServerResponse) => void = () => undefined;

  beforeAll(async () => {
    await specs.begin();
    await ask('POST', '/imports', {
      ...{ api: { apiId: issues }, document: issuesSchema, format: 'graphql' },
      version: { apiVersion: '1', apiType: 'graphql', serviceId: issues, envTag: 'dev' },
    });
    service = createServer((request, response) => {
      request.resume();
      answer(response);
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const toolId = await specs.published(`version: 1.0.0
name: ${getIssue}
description: Reads the issue that somebody names. Use it when people ask what an issue is about.
inputSchema:
  parameters:
    - { name: id, type: string, required: true, description: Id of the issue. }
outputSchema: { type: object, properties: { title: { type: string } }, required: [title] }
annotations: { readOnlyHint: true }
graphql:
  api: ${issues}
  operation: 'query ($id: ID!) { issue(id: $id) { title } }'
  variables: { id: $id }
`);
    const { port } = service.address() as AddressInfo;
    await specs.expose([{ toolId, targetHost: `http://127.0.0.1:${String(port)}/graphql` }]);
  });
  afterAll(async () => {
    await specs.end();
    service.closeAllConnections();
    service.close();
  });

  const good = '{"data":{"issue":{"title":"x"}}}';
  const as =
    (body: string | Buffer, headers: Readonly<Record<string, string | string[]>> = {}, status = 200) =>
    (response: ServerResponse): void =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  const chunks =
    (chunk: string) =>
    (response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(chunk), 5);
      response.on('close', () => {
        clearInterval(timer);
      });
    };
  const issue = (value: unknown, more: object = {}) =>
    as(JSON.stringify({ data: { issue: value }, ...more }));

  it.each<[level: string, what: string, answered: (response: ServerResponse) => void, code: RegExp]>([
    ['http', 'more than may come, without end', chunks('x'.repeat(50_000)), /^downstream_too_large: /],
    ['network', 'a little at a time, without end', chunks(' '), /^downstream_timeout: /],
    [
      'network',
      'a head and nothing else',
      (response) => {
        response.writeHead(200).flushHeaders();
      },
      /^downstream_timeout: /,
    ],
    [
      'http',
      'less than it says, and hangs up',
      (response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('{', () => response.destroy());
      },
      /^downstream_/,
    ],
    [
      'http',
      'little that unpacks to much',
      as(gzipSync('x'.repeat(50_000_000)), { 'content-encoding': 'gzip' }),
      /^downstream_(too_large|broken): /,
    ],
    [
      'http',
      'what is not packed as it says',
      as('{', { 'content-encoding': 'gzip' }),
      /^(downstream_broken|http_200): /,
    ],
    ['http', 'nothing, with 204', as('', {}, 204), /^http_204: /],
    [
      'http',
      'another address',
      as('', { location: 'http://169.254.169.254/' }, 307),
      /^downstream_redirected: /,
    ],
    [
      'http',
      'a page',
      as('<html>', { 'content-type': 'text/html' }),
      /^http_200: The service answered what is no JSON/,
    ],
    ['http', 'lists without end', as(`{"data":${'['.repeat(90_000)}`), /^answer_too_deep: /],
    [
      'graphql',
      'errors beside data',
      issue({ title: 'x' }, { errors: { message: 'Not yours.' } }),
      /^graphql_errors: Not yours\.$/,
    ],
    [
      'graphql',
      'an error as long as an answer may be',
      issue(null, { errors: [{ message: 'y'.repeat(150_000) }] }),
      /^graphql_errors: y{4000}$/,
    ],
    ['graphql', 'no data', as('{}'), /^no_data: /],
    ['graphql', 'data of another type', as('{"data":"x"}'), /^no_data: /],
    ['graphql', 'a list', as('[]'), /^no_data: /],
    ['graphql', 'another shape than the tool says', issue({ title: 7 }), /^answer_unfit: .*\/title/],
    [
      'graphql',
      'what every object has by itself',
      as('{"data":{"__proto__":{"issue":{"title":"x"}}}}'),
      /^no_data: /,
    ],
    ['payload', 'that it says no', issue({ title: 'x', errors: ['No.'] }), /^payload_errors: No\.$/],
  ])('at the level %s: %s', async (level, _what, answered, code) => {
    answer = answered;
    const from = specs.lines.length;
    const refused = await specs.call(getIssue, { id: '1' });
    expect([refused.isError, refused.said]).toEqual([true, expect.stringMatching(code)]);
    expect(refused._meta?.['portal-catalog/fault']).toMatchObject({ level });
    expect(refused.said.length).toBeLessThan(5_000);
    const own = specs.lines.slice(from).map((line) => JSON.parse(line) as { execution?: object });
    expect(own.flatMap(({ execution }) => execution ?? [])).toMatchObject([{ level, outcome: 'failed' }]);
  });

  it.each<[what: string, answered: (response: ServerResponse) => void]>([
    ['under another media type', as(good, { 'content-type': 'text/html' })],
    ['under none', (response) => void response.writeHead(200).end(good)],
    [
      'with fields beside it',
      as('{"data":{"other":1,"issue":{"title":"x","more":[1]}},"extensions":{"a":1}}'),
    ],
    [
      'with members twice, of which the last counts',
      as('{"data":{"issue":null},"data":{"issue":{"title":"x"}}}'),
    ],
    ['with an empty list of errors', as('{"errors":[],"data":{"issue":{"title":"x"}}}')],
  ])('what is right counts: %s', async (_what, answered) => {
    answer = answered;
    expect((await specs.call(getIssue, { id: '1' })).structuredContent).toMatchObject({ title: 'x' });
  });
});
