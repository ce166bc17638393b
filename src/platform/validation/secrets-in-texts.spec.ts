import { redacted } from './secrets-in-texts.js';

const token = `ghp_${'a1B2'.repeat(9)}`;
const tool = {
  name: 'addNumbers',
  description: 'Adds.',
  implementationType: 'python',
  scriptContent: 'def run(a, b): return a + b',
  inputSchema: { type: 'object', properties: { a: { type: 'number' } } },
};

it('takes what holds no secrets as it is', async () => {
  const { body, warnings } = await redacted(tool);
  expect(body).toEqual(tool);
  expect(warnings).toEqual([]);
  // Nothing is copied where nothing is replaced.
  expect(body).toBe(tool);
});

it('replaces secrets in every text, deep inside too, and says where', async () => {
  const properties = { a: { type: 'string', examples: [`x ${token}`, token] } };
  const sent = {
    ...tool,
    description: `Use ${token}.`,
    inputSchema: { type: 'object', properties },
    routing: { semanticDescription: `Call with ${token}` },
  };
  const { body, warnings } = await redacted(sent);
  expect(body).toEqual({
    ...tool,
    description: 'Use [redacted:github].',
    inputSchema: {
      type: 'object',
      properties: { a: { type: 'string', examples: ['x [redacted:github]', '[redacted:github]'] } },
    },
    routing: { semanticDescription: 'Call with [redacted:github]' },
  });
  expect(warnings.map(({ pointer }) => pointer)).toEqual([
    '/description',
    '/inputSchema/properties/a/examples/0',
    '/inputSchema/properties/a/examples/1',
    '/routing/semanticDescription',
  ]);
  expect(sent.description).toContain(token);
});

it('replaces characters that hide text or turn its order, and keeps flags', async () => {
  const england = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';
  const hidden = Array.from('now', (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
  const sent = { description: `Reads.${hidden}`, prompts: [england, 'a\u202eb'] };
  const { body, warnings } = await redacted(sent);
  expect(body).toEqual({ description: 'Reads.\ufffd', prompts: [england, 'a\ufffdb'] });
  expect(warnings.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
    'hidden_characters_replaced /description',
    'hidden_characters_replaced /prompts/1',
  ]);
});
