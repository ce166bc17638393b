import { readFlat } from '../../../test/flat-endpoints.js';
import { compile } from '../../../test/import-laws.js';

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const having = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } });

/** `POST /groups` with the property `owner`. */
async function withOwner(owner: object, schemas: object) {
  const schema = { type: 'object', properties: { owner } };
  const requestBody = { required: true, content: { 'application/json': { schema } } };
  const document = {
    openapi: '3.1.0',
    paths: { '/groups': { post: { requestBody } } },
    components: { schemas },
  };
  const { endpoints, warnings } = await readFlat(document, { format: 'auto' });
  const inputSchema = endpoints[0]?.inputSchema ?? {};
  const accepts = compile(inputSchema);
  return {
    text: JSON.stringify(inputSchema),
    accepts: (value: unknown) => accepts({ owner: value }),
    codes: new Set(warnings.map(({ code }) => code)),
  };
}

describe('a circle through composition alone', () => {
  const circle = {
    Member: { allOf: [to('Person'), having('since')] },
    Person: { allOf: [to('Member'), having('name')] },
  };

  it.each(['Member', 'Person'])('is cut, entered at %s', async (name) => {
    const { text, accepts, codes } = await withOwner(to(name), circle);
    expect(codes).toEqual(new Set(['broken_reference']));
    expect(text).toContain('"name"');
    expect(text).toContain('"since"');
    expect([{ name: 'Ann', since: '1' }, { name: 1 }, { since: 1 }, 'Ann'].map(accepts)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it.each([
    ['allOf', 'not an object'],
    ['anyOf', 'not an object'],
    ['oneOf', 'not an object'],
  ])('is cut where a schema is its own part by %s', async (keyword, text) => {
    const { accepts, codes } = await withOwner(to('Self'), {
      Self: { [keyword]: [to('Self'), having('name')] },
    });
    expect(codes).toEqual(new Set(['broken_reference']));
    expect([{ name: 'Ann' }, { name: 1 }, text].map(accepts)).toEqual([true, false, false]);
  });

  it('is cut through several kinds of composition, and beside a reference', async () => {
    const { accepts, codes } = await withOwner(to('A'), {
      A: { anyOf: [to('B'), { type: 'integer' }] },
      B: { ...to('C'), description: 'A B.' },
      C: { allOf: [to('A'), having('name')] },
    });
    expect(codes).toEqual(new Set(['broken_reference']));
    expect([{ name: 'Ann' }, 3, { name: 1 }, true].map(accepts)).toEqual([true, true, false, false]);
  });

  it.each([
    [
      'allOf',
      { Self: { allOf: [to('Self'), to('Person')] }, Person: { allOf: [to('Self'), having('name')] } },
    ],
    ['anyOf', { Self: { anyOf: [to('Self'), having('name')] } }],
  ])('is cut in a body that is merged by %s', async (_, schemas) => {
    const requestBody = { required: true, content: { 'application/json': { schema: to('Self') } } };
    const document = {
      openapi: '3.1.0',
      paths: { '/groups': { post: { requestBody } } },
      components: { schemas },
    };
    const { endpoints, warnings } = await readFlat(document, { format: 'auto' });
    expect(endpoints[0]?.inputSchema['properties']).toEqual({ name: { type: 'string' } });
    expect(new Set(warnings.map(({ code }) => code))).toEqual(new Set(['broken_reference']));
  });

  it('is none where a property leads back', async () => {
    const { text, codes } = await withOwner(to('Member'), {
      Member: { allOf: [to('Person'), having('since')] },
      Person: { type: 'object', properties: { friends: { type: 'array', items: to('Member') } } },
    });
    expect(codes).toEqual(new Set());
    expect(text).toContain('"$ref":"#/$defs/Member"');
  });

  it('costs no more than some when all refer to all', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `N${String(index)}`);
    const schemas = Object.fromEntries(
      names.map((name) => [name, { allOf: [...names.map(to), having(name.toLowerCase())] }]),
    );
    const { text, accepts } = await withOwner(to('N0'), schemas);
    expect(text.length).toBeLessThan(20_000);
    expect([{ n0: 'x' }, { n0: 1 }].map(accepts)).toEqual([true, false]);
  });

  it('is cut in the tools of an MCP server, too', async () => {
    const inputSchema = {
      type: 'object',
      properties: { owner: { $ref: '#/$defs/Member' } },
      $defs: {
        Member: { allOf: [{ $ref: '#/$defs/Person' }, having('since')] },
        Person: { allOf: [{ $ref: '#/$defs/Member' }, having('name')] },
      },
    };
    const { endpoints, warnings } = await readFlat(
      { tools: [{ name: 'a', inputSchema }] },
      { format: 'mcp' },
    );
    const accepts = compile(endpoints[0]?.inputSchema ?? {});
    expect(warnings.map(({ code }) => code)).toContain('broken_reference');
    expect([{ owner: { name: 'Ann' } }, { owner: { name: 1 } }].map(accepts)).toEqual([true, false]);
  });
});
