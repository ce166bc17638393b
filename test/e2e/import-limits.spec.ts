import { isSoak } from '../soak.js';
import { eachServer } from './server.js';

interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
}

const KIB = 1024;
const version = { apiVersion: '1', serviceId: 'orders', envTag: 'dev' };

function openapi(operations: number, operation: object, more: object = {}) {
  const paths = Object.fromEntries(
    Array.from({ length: operations }, (_, at) => [`/p${String(at)}`, { get: operation }]),
  );
  return { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths, ...more };
}

/** Operations that refer to one schema of 200 KiB. */
function referring(operations: number) {
  const schema = { type: 'object', description: 'd'.repeat(200 * KIB) };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/S' } } };
  const operation = { requestBody: { content }, responses: {} };
  return openapi(operations, operation, { components: { schemas: { S: schema } } });
}

/** A text of so many bytes, of one letter as far as it fits. */
function filled(bytes: number, letter: string): string {
  const text = letter.repeat(Math.floor(bytes / Buffer.byteLength(letter)));
  return text + ' '.repeat(bytes - Buffer.byteLength(text));
}

/** A body with so many bytes of JSON beside its document. */
function beside(bytes: number, letter: string): string {
  const rest = { api: { apiId: 'limited' }, version, x: '' };
  const x = filled(bytes - JSON.stringify(rest).length, letter);
  return JSON.stringify({ ...rest, x, document: openapi(1, {}) });
}

eachServer((server) => {
  const written = async () => {
    const events = await server().api<{ items: unknown[] }>('GET', '/events?after=0&limit=500');
    return events.body.items.length;
  };
  const bring = (document: object, more: object = {}) =>
    server().api<Problem>('POST', '/imports', {
      body: { api: { apiId: 'limited' }, version, document, ...more },
    });
  let before: number;
  beforeEach(async () => {
    before = await written();
  });
  // What was refused has left nothing.
  afterEach(async () => {
    expect(await written()).toBe(before);
    expect((await server().api('GET', '/apis/limited')).status).toBe(404);
  });

  it('a document of 20,001 operations is refused', async () => {
    const refused = await bring(openapi(20_001, { responses: {} }));
    expect([refused.status, refused.body.code]).toEqual([400, 'document_too_large']);
    expect(refused.body.detail).toContain('20001 operations; at most 20000');
    expect(refused.body.detail).toContain('Split it into several');
  });

  if (isSoak)
    it('a document of 20,000 operations is read', async () => {
      const taken = await bring(openapi(20_000, { responses: {} }), { dryRun: true });
      expect([taken.status, taken.body]).toEqual([200, expect.objectContaining({ added: 20_000 })]);
    });

  it('operations may refer to 64 MiB of schemas, and no more', async () => {
    const refused = await bring(referring(330));
    expect([refused.status, refused.body.code]).toEqual([400, 'document_too_large']);
    expect(refused.body.detail).toContain('longer than 64 MiB. Split the document into several.');
    expect(refused.body.errors[0]?.pointer).toMatch(/^\/document\/paths\/~1p3\d\d\/get$/);
    const taken = await bring(referring(315), { dryRun: true });
    expect([taken.status, taken.body]).toEqual([200, expect.objectContaining({ added: 315 })]);
  });

  it.each([
    ['letters', 'x'],
    ['letters of three bytes', '\u4e00'],
  ])('beside a document a body may hold 256 KiB, and no more: %s', async (_, letter) => {
    const post = (bytes: number) => server().api<Problem>('POST', '/imports', { raw: beside(bytes, letter) });
    const long = await post(256 * KIB + 1);
    expect([long.status, long.body.code]).toEqual([400, 'invalid_body']);
    expect(long.body.detail).toMatch(/beside the document in the body is longer than 256 KiB/);
    // It is read, and what is wrong with it is told.
    const short = await post(256 * KIB);
    expect([short.status, short.body.errors[0]?.pointer]).toEqual([400, '/x']);
  });

  it.each([
    ['letters', 'x'],
    ['letters of three bytes', '\u4e00'],
  ])('a workflow has 128 KiB at most: %s', async (_, letter) => {
    const steps = 'do: []\n# ';
    const definition = (bytes: number) => steps + filled(bytes - steps.length, letter);
    const refused = await server().api('POST', '/workflows', {
      body: { namespace: 'ops', name: 'long', version: '1.0.0', definition: definition(128 * KIB + 1) },
    });
    expect(refused.status).toBe(400);
    expect(refused.text).toMatch(/longer than 128 KiB|more than 131072 characters/);
    const checked = await server().api('POST', '/workflows/validate', {
      body: { definition: definition(128 * KIB) },
    });
    expect([checked.status, checked.body['problems']]).toEqual([200, []]);
  });
});
