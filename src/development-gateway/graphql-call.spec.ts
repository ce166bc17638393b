import type { RouterTool } from '../gateways/mcp-router/router-tool.js';
import { graphqlData } from './graphql-call.js';

const tool = { path: 'mutation/cancel' } as RouterTool;
const codeOf = (status: number, text: string): unknown => {
  try {
    return graphqlData(tool, { status, text });
  } catch (error) {
    return Reflect.get(error as Error, 'code');
  }
};
const words = (value: object): string => JSON.stringify(value);

test('the data is what was asked for', () => {
  const data = { cancel: { state: 'CANCELLED', userErrors: [] } };
  expect(codeOf(200, words({ data }))).toEqual(data);
});

test.each([
  ['errors', 'graphql_errors', 200, words({ errors: [{ message: 'No.' }], data: null })],
  ['errors beside a refusal', 'graphql_errors', 401, words({ errors: [{ message: 'Who are you?' }] })],
  [
    'errors of the payload',
    'payload_errors',
    200,
    words({ data: { cancel: { userErrors: ['Too late.'] } } }),
  ],
  ['no data', 'no_data', 200, words({ data: { cancel: null } })],
  ['no data and no member for it', 'no_data', 200, '{}'],
  ['JSON that is no answer', 'no_data', 200, '[]'],
  ['a refusal as HTTP goes', 'http_401', 401, words({ message: 'Unauthorized' })],
  ['a fault of the server', 'http_500', 500, '{}'],
  ['a fault of the server with empty data', 'http_500', 500, words({ data: { cancel: null } })],
  ['a page', 'http_502', 502, '<html>'],
  ['a page as if all were well', 'http_200', 200, '<html>'],
])('%s: %s', (_, code, status, text) => {
  expect(codeOf(status, text)).toBe(code);
});
