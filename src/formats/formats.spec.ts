import { WarningLog } from '../documents/findings.js';
import { documentLimits } from '../documents/limits.js';
import { readSource } from '../documents/read-source.js';
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

describe('what is no description', () => {
  const hints = { mediaType: '', format: undefined, signs: formatSigns };
  const read = (source: string | Uint8Array, warnings = new WarningLog()) =>
    readSource(source, hints, documentLimits, warnings);

  it.each([
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de', 'hex')],
    ['an archive, as a browser reads it', 'PK\u0003\u0004\u0014\0\b\0\b\0\ufffd\ufffd\ufffdX'],
    ['UTF-16 without a mark', Buffer.from('openapi: 3.1.0', 'utf16le')],
  ])('is told to be no text: %s', async (_, source) => {
    await expect(read(source)).rejects.toMatchObject({
      code: 'unsupported_format',
      detail: 'This is no text file. Choose an API description: YAML, JSON, .proto or GraphQL.',
    });
  });

  it('is not told of a text with a few characters that can’t be read', async () => {
    const warnings = new WarningLog();
    await read(Buffer.from('openapi: 3.1.0\ninfo: { title: "Caf\xe9 und \xc4rger" }\n', 'latin1'), warnings);
    expect(warnings.all()).toMatchObject([{ code: 'characters_replaced' }]);
  });

  it('is told what was looked for, in one list', () => {
    expect(formatSigns.lookedFor).toMatch(/, and GraphQL \(SDL or an introspection answer\)\.$/);
  });
});
