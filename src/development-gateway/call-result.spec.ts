import type { RouterTool } from '../gateways/mcp-router.js';
import { asNamed, asRouted, CallFault, graphqlData, graphqlResult } from './call-result.js';

const tool = { path: 'mutation/cancel' } as RouterTool;
const codeOf = (status: number, text: string): unknown => {
  try {
    return graphqlData(tool, { status, text });
  } catch (error) {
    return Reflect.get(error as Error, 'code');
  }
};
const json = (value: object): string => JSON.stringify(value);

/** A value of so many levels in each other. */
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test('the data is what was asked for', () => {
  const data = { cancel: { state: 'CANCELLED', userErrors: [] } };
  expect(codeOf(200, json({ data }))).toEqual(data);
});

test.each([
  ['errors', 'graphql_errors', 200, json({ errors: [{ message: 'No.' }], data: null })],
  ['errors beside a refusal', 'graphql_errors', 401, json({ errors: [{ message: 'Who are you?' }] })],
  ['errors of the payload', 'payload_errors', 200, json({ data: { cancel: { userErrors: ['Too late.'] } } })],
  ['no data', 'no_data', 200, json({ data: { cancel: null } })],
  ['no data and no member for it', 'no_data', 200, '{}'],
  ['JSON that is no answer', 'no_data', 200, '[]'],
  ['a refusal as HTTP goes', 'http_401', 401, json({ message: 'Unauthorized' })],
  ['a fault of the server', 'http_500', 500, '{}'],
  ['a fault of the server with empty data', 'http_500', 500, json({ data: { cancel: null } })],
  ['a page', 'http_502', 502, '<html>'],
  ['a page as if all were well', 'http_200', 200, '<html>'],
  ['an answer that is nested without end', 'answer_too_deep', 200, `{"data":{"cancel":${nested(100_000)}}}`],
])('%s: %s', (_, code, status, text) => {
  expect(codeOf(status, text)).toBe(code);
});

test.each([
  ['errors that are an object', { data: { cancel: {} }, errors: { message: 'No.' } }, 'graphql_errors'],
  ['errors that are a text', { data: { cancel: {} }, errors: 'No.' }, 'graphql_errors'],
  ['errors that only say so', { data: { cancel: {} }, errors: true }, 'graphql_errors'],
])('%s are errors', (_, answer, code) => {
  expect(codeOf(200, json(answer))).toBe(code);
});

test('what every object has by itself is no data', () => {
  const tool = { path: 'x', graphql: { document: '{ constructor }', field: 'constructor' } };
  const answer = { status: 200, text: '{"data":{}}' };
  expect(() => graphqlResult(tool as unknown as RouterTool, answer)).toThrow(/no data/);
});

test('a text that does not end is read once', () => {
  // Read anew from each of its quotes, it would take hours.
  expect(codeOf(200, `{"data":"${'\\"'.repeat(2_000_000)}`)).toBe('http_200');
});

test('brackets within texts are no levels', () => {
  const data = { cancel: { note: `\\"${nested(500)}` } };
  expect(codeOf(200, json({ data }))).toEqual(data);
});

test('what is written has the shape that the tool says', () => {
  const written = {
    ...{ path: 'x', graphql: { document: '{ order { id } }', field: 'order' } },
    outputSchema: { type: 'object', properties: { id: { type: 'string' } } },
  } as unknown as RouterTool;
  const answer = (order: object) => ({ status: 200, text: json({ data: { order } }) });
  expect(graphqlResult(written, answer({ id: '7' })).structuredContent).toEqual({ id: '7' });
  expect(() => graphqlResult(written, answer({ id: [] }))).toThrow(/carried out.*\/id must be text/);
});

test.each([
  ['service', 'invalid_arguments'],
  ['service', 'no_caller'],
  ['graphql', 'graphql_errors'],
  ['graphql', 'no_data'],
  ['payload', 'payload_errors'],
  ['http', 'http_503'],
  ['http', 'downstream_too_large'],
  ['network', 'downstream_timeout'],
])('a fault of the level %s: %s', (level, code) => {
  const { result } = new CallFault(code, 'It says why.');
  expect(result).toMatchObject({
    ...{ isError: true, content: [{ text: `${code}: It says why.` }] },
    _meta: { 'portal-catalog/fault': { code, level } },
  });
});

test('arguments go under the names that the server has for them', () => {
  const routes = { top: { in: 'argument', name: '$top' }, plain: { in: 'argument', name: 'plain' } } as const;
  expect(asNamed(routes, { top: 1, plain: 'x', more: true })).toEqual({ $top: 1, plain: 'x', more: true });
});

test('arguments of a former version find the names of now', () => {
  const routes = {
    include: { in: 'query', name: 'include[]' },
    id__path: { in: 'path', name: 'id' },
    id: { in: 'body', name: 'id' },
  } as const;
  expect(asRouted(routes, { 'include[]': ['a'], id: 1, more: 2 })).toEqual({
    include: ['a'],
    id: 1,
    more: 2,
  });
  expect(asRouted(routes, { 'include[]': 'a', include: 'b' })).toEqual({ 'include[]': 'a', include: 'b' });
});
