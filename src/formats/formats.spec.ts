import { formatSigns } from './formats.js';

describe('a text of a language of its own', () => {
  it.each([
    '"""The root.""" type Query { card: Int }',
    '"The root." type Query { card: Int }',
    '# A comment\n"""\nThe root:\n"""\ntype Query\n{\n  card: Int\n}',
    'schema { query: Root } type Root { card: Int }',
  ])('tells GraphQL: %j', (text) => {
    expect(formatSigns.recognise(text)).toBe('graphql');
  });

  it.each([
    '/* Licence */ syntax = "proto3"; package cards;',
    'package cards; service Cards { rpc Get (Card) returns (Card); } message Card {}',
    '// Cards\nedition = "2023";',
  ])('tells .proto text: %j', (text) => {
    expect(formatSigns.recognise(text)).toBe('grpc');
  });

  it.each([
    'openapi: 3.1.0\ninfo: { description: "type Query { card: Int }" }',
    '{"openapi": "3.1.0", "info": {"description": "\\ntype Query { card: Int }"}}',
    '# type Query { card: Int }\nlightapi: 0.1.0',
    '"type Query { card: Int }"',
  ])('leaves JSON, YAML and mere words to others: %j', (text) => {
    expect(formatSigns.recognise(text)).toBeUndefined();
  });
});
