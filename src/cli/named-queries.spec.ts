import { readQuery } from '../graph/graph.lookup.js';
import { CliFault } from './output.js';
import { filledQuery, namedQueries, readTexts, type NamedQuery } from './named-queries.js';

it('every query that is kept can be run with the examples of its parameters', async () => {
  const kept = await namedQueries();
  expect(kept.length).toBeGreaterThan(3);
  for (const named of kept) {
    const examples = Object.entries(named.parameters).map(([name, { example }]) => [name, example]);
    const query = filledQuery(named, Object.fromEntries(examples) as Record<string, unknown>);
    expect(() => readQuery(query)).not.toThrow();
    expect(JSON.stringify(query)).not.toContain('$param');
  }
});

it('refuses parameters that are missing, unknown or of the wrong kind', async () => {
  const named = (await namedQueries()).find(({ name }) => name === 'what-breaks-without-endpoint');
  if (named === undefined) throw new Error('It is gone.');
  for (const given of [
    {},
    { endpointId: 'x' },
    { endpointId: named.parameters['endpointId']?.example, more: 1 },
  ]) {
    expect(() => filledQuery(named, given)).toThrow(CliFault);
  }
});

it('reads what was typed as what its schema takes', () => {
  const parameter = (schema: object) => ({ description: 'd', schema, example: 1 });
  const named: NamedQuery = {
    name: 'n',
    description: 'd',
    parameters: {
      name: parameter({ type: 'string' }),
      changed: parameter({ type: 'boolean' }),
      least: parameter({ type: 'integer' }),
      tiers: parameter({ type: 'array', items: { type: 'string' } }),
    },
    query: ['name', 'changed', 'least', 'tiers'].map(($param) => ({ $param })),
  };
  const typed = { name: '5', changed: 'true', least: '3', tiers: '["public"]' };
  expect(filledQuery(named, readTexts(named, typed))).toEqual(['5', true, 3, ['public']]);
  expect(() => filledQuery(named, readTexts(named, { ...typed, least: 'many' }))).toThrow(CliFault);
});
