import { readFlat } from '../../../test/flat-endpoints.js';
import { compile } from '../../../test/import-laws.js';
import type { JsonObject } from '../../documents/json.js';

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const having = (field: string) => ({
  type: 'object',
  required: [field],
  properties: { [field]: { type: 'integer' } },
});
const subtype = (parent: string, field: string) => ({ allOf: [to(parent), having(field)] });

const pets = (parent: object = {}) => ({
  Pet: {
    type: 'object',
    required: ['petType'],
    properties: { petType: { type: 'string', description: 'Which.' }, name: { type: 'string' } },
    discriminator: { propertyName: 'petType' },
    ...parent,
  },
  Cat: subtype('Pet', 'claws'),
  Dog: subtype('Pet', 'packSize'),
});

/** What `POST /pets` takes of this body. */
async function posted(schema: object, schemas: object) {
  const requestBody = { required: true, content: { 'application/json': { schema } } };
  const document = {
    openapi: '3.1.0',
    paths: { '/pets': { post: { requestBody } } },
    components: { schemas },
  };
  const { endpoints, warnings } = await readFlat(document, { format: 'auto' });
  const inputSchema = endpoints[0]?.inputSchema ?? {};
  return { inputSchema, accepts: compile(inputSchema), codes: warnings.map(({ code }) => code) };
}

const given = [
  { petType: 'Cat', claws: 1 },
  { petType: 'Dog', packSize: 1, name: 'Rex' },
  { petType: 'Cat', packSize: 1 },
  { petType: 'Dog' },
  { petType: 'Bird', claws: 1, packSize: 1 },
  { claws: 1 },
];
const right = [true, true, false, false, false, false];

describe('a discriminator of a parent', () => {
  it('offers the subtypes, and requires their fields by its value', async () => {
    const { inputSchema, accepts, codes } = await posted(to('Pet'), pets());
    expect(inputSchema['properties']).toEqual({
      petType: { type: 'string', description: 'Which.', enum: ['Cat', 'Dog'] },
      name: { type: 'string' },
      claws: { type: 'integer' },
      packSize: { type: 'integer' },
    });
    expect(inputSchema['required']).toEqual(['petType']);
    for (const keyword of ['anyOf', 'oneOf', 'allOf']) expect(inputSchema).not.toHaveProperty(keyword);
    expect(given.map(accepts)).toEqual(right);
    expect(codes).toEqual([]);
  });

  it('does so below a property, and where subtypes hold their parent', async () => {
    const schemas = pets();
    const Owner = { type: 'object', properties: { friend: to('Pet'), born: { type: 'integer' } } };
    const { accepts } = await posted(
      { type: 'object', properties: { pet: to('Pet') } },
      { ...schemas, Dog: { allOf: [to('Pet'), having('packSize'), to('Owner')] }, Owner },
    );
    expect(given.map((pet) => accepts({ pet }))).toEqual(right);
    expect(given.map((friend) => accepts({ pet: { petType: 'Dog', packSize: 1, friend } }))).toEqual(right);
  });

  it('takes the values that a subtype limits the property to', async () => {
    const limited = (field: string, petType: object) => ({
      ...subtype('Pet', field),
      properties: { petType },
    });
    const schemas = {
      ...pets(),
      Cat: limited('claws', { type: 'string', enum: ['cat', 'kitten'] }),
      Dog: { allOf: [to('Pet'), { ...having('packSize'), properties: { petType: { const: 'dog' } } }] },
      Puppy: subtype('Dog', 'age'),
    };
    const tried = [
      { petType: 'kitten', claws: 1 },
      { petType: 'dog', packSize: 1 },
      { petType: 'Dog', packSize: 1 },
      { petType: 'Puppy', packSize: 1, age: 1 },
    ];
    const whole = await posted(to('Pet'), schemas);
    expect(tried.map(whole.accepts)).toEqual([true, true, false, false]);
    const within = await posted({ type: 'object', properties: { pet: to('Pet') } }, schemas);
    expect(tried.map((pet) => within.accepts({ pet }))).toEqual([true, true, false, false]);
  });

  it('takes the values of its mapping', async () => {
    const mapping = { cat: to('Cat').$ref, kitten: 'Cat', dog: to('Dog').$ref };
    const { inputSchema, accepts } = await posted(
      to('Pet'),
      pets({ discriminator: { propertyName: 'petType', mapping } }),
    );
    expect(inputSchema['properties']).toMatchObject({ petType: { enum: ['cat', 'dog', 'kitten'] } });
    expect(
      [{ petType: 'kitten', claws: 1 }, { petType: 'kitten' }, { petType: 'Cat', claws: 1 }].map(accepts),
    ).toEqual([true, false, false]);
  });

  it.each([
    ['alone', to('Pet')],
    ['below a property', { type: 'object', properties: { pet: to('Pet') } }],
  ])('is no circle with branches that refer back to the parent, %s', async (_, schema) => {
    const { accepts, codes } = await posted(schema, pets({ oneOf: [to('Cat'), to('Dog')] }));
    const isBelow = 'properties' in schema;
    expect(given.map((pet) => accepts(isBelow ? { pet } : pet))).toEqual(right);
    expect(codes).toEqual([]);
  });

  it('offers subtypes of subtypes', async () => {
    const Cat = {
      allOf: [to('Pet'), having('claws')],
      type: 'object',
      properties: { catType: { type: 'string' } },
      discriminator: { propertyName: 'catType' },
    };
    const { accepts } = await posted(to('Pet'), { ...pets(), Cat, Lion: subtype('Cat', 'mane') });
    expect(given.map(accepts)).toEqual(right);
    expect(accepts({ petType: 'Lion', claws: 1, mane: 2 })).toBe(true);
    expect(accepts({ petType: 'Lion', claws: 1 })).toBe(false);
  });

  it('keeps to the values that the parent lists', async () => {
    const properties = { petType: { type: 'string', enum: ['cat', 'dog'] } };
    const { inputSchema, accepts } = await posted(to('Pet'), pets({ properties }));
    expect(inputSchema['properties']).toMatchObject(properties);
    expect([{ petType: 'cat', claws: 1 }, { petType: 'cat' }].map(accepts)).toEqual([true, false]);
  });

  it('is the name of the property alone in OpenAPI 2.0', async () => {
    const text = JSON.stringify(pets({ discriminator: 'petType' })).replaceAll(
      'components/schemas',
      'definitions',
    );
    const body = { in: 'body', name: 'body', required: true, schema: { $ref: '#/definitions/Pet' } };
    const document = {
      swagger: '2.0',
      paths: { '/pets': { post: { parameters: [body] } } },
      definitions: JSON.parse(text) as object,
    };
    const { endpoints } = await readFlat(document, { format: 'auto' });
    expect(given.map(compile(endpoints[0]?.inputSchema ?? {}))).toEqual(right);
  });

  it('offers subtypes that stand in files of their own', async () => {
    const child = (field: string) => ({ allOf: [{ $ref: './Pet.json' }, having(field)] });
    const content = { 'application/json': { schema: to('Pet') } };
    const names = ['Pet', 'Cat', 'Dog'];
    const api = {
      openapi: '3.1.0',
      paths: { '/pets': { post: { requestBody: { required: true, content } } } },
      components: {
        schemas: Object.fromEntries(names.map((name) => [name, { $ref: `schemas/${name}.json` }])),
      },
    };
    const files = {
      'api.json': JSON.stringify(api),
      'schemas/Pet.json': JSON.stringify(pets().Pet),
      'schemas/Cat.json': JSON.stringify(child('claws')),
      'schemas/Dog.json': JSON.stringify(child('packSize')),
    };
    const { endpoints } = await readFlat({ files, main: 'api.json' }, { format: 'auto' });
    expect(given.map(compile(endpoints[0]?.inputSchema ?? {}))).toEqual(right);
  });

  it('limits no answers', async () => {
    const answer = {
      200: { content: { 'application/json': { schema: { type: 'array', items: to('Pet') } } } },
    };
    const document = {
      openapi: '3.1.0',
      paths: { '/pets': { get: { responses: answer } } },
      components: { schemas: pets() },
    };
    const { endpoints } = await readFlat(document, { format: 'auto' });
    const { outputSchema } = endpoints[0] as { outputSchema?: object };
    const { type, required, properties } = pets().Pet;
    expect(outputSchema).toEqual({ type: 'array', items: { type, required, properties } });
  });

  it('offers none of too many subtypes, with a warning', async () => {
    const many = Array.from(
      { length: 40 },
      (_, index) => [`Pet${String(index)}`, subtype('Pet', 'a')] as const,
    );
    const { Pet } = pets();
    const { inputSchema, codes } = await posted(to('Pet'), { Pet, ...Object.fromEntries(many) });
    expect(Object.keys(inputSchema['properties'] as JsonObject)).toEqual(['name', 'petType']);
    expect(codes).toEqual(['schema_pruned']);
  });
});

describe('a discriminator without a mapping', () => {
  const alternatives = {
    oneOf: [to('Cat'), to('Dog')],
    discriminator: { propertyName: 'petType' },
  };
  const typed = (field: string, petType: object = { type: 'string' }) => ({
    ...having(field),
    properties: { [field]: { type: 'integer' }, petType },
  });

  it('means the names of the schemas', async () => {
    const schemas = { Cat: typed('claws'), Dog: typed('packSize') };
    expect(given.map((await posted(alternatives, schemas)).accepts)).toEqual(right);
    const below = await posted({ type: 'object', properties: { pet: alternatives } }, schemas);
    expect(given.map((pet) => below.accepts({ pet }))).toEqual(right);
  });

  it('means the value that a branch says instead, or what it is composed of', async () => {
    const Named = { properties: { petType: { enum: ['c'] } } };
    const { accepts } = await posted(alternatives, {
      Cat: { allOf: [typed('claws'), to('Named')] },
      Dog: typed('packSize', { const: 'd' }),
      Named,
    });
    expect(accepts({ petType: 'c', claws: 1 })).toBe(true);
    expect(accepts({ petType: 'd', packSize: 1 })).toBe(true);
    expect(accepts({ petType: 'x', claws: 1 })).toBe(false);
    expect(accepts({ petType: 'c', packSize: 1 })).toBe(false);
    expect(accepts({ petType: 'd' })).toBe(false);
  });

  it('means nothing where a branch takes no text', async () => {
    const Cat = typed('claws', { type: 'integer' });
    const { accepts } = await posted(alternatives, { Cat, Dog: typed('packSize') });
    expect(accepts({ petType: 1, claws: 1 })).toBe(true);
  });
});
