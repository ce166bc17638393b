import type { RouterTool } from '../gateways/mcp-router.js';
import { graphqlData } from './call-result.js';

const tool = { path: 'mutation/cancel' } as RouterTool;
const codeOf = (status: number, text: string): unknown => {
  try {
    return graphqlData(tool, { status, text });
  } catch (error) {
    return Reflect.get(error as Error, 'code');
  }
};
const json = (value: object): string => JSON.stringify(value);

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
])('%s: %s', (_, code, status, text) => {
  expect(codeOf(status, text)).toBe(code);
});
