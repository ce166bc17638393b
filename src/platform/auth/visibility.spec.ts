import { sees, type AgentScope, type Visibility } from './visibility.js';

const token = (more: Partial<Visibility> = {}): Visibility => ({
  ...{ hostId: 'host', services: ['accounts'], environments: ['dev'], tiers: 'all' },
  ...more,
});
const within = { toolIds: ['held'] } as unknown as AgentScope;
const holds = (id: string) => (scope: AgentScope) => scope.toolIds.includes(id);

test('a row is seen where service, environment and tier are the token’s, or the row names none', () => {
  expect(sees(token(), {})).toBe(true);
  expect(sees(token(), { serviceId: null, envTag: null })).toBe(true);
  expect(sees(token(), { serviceId: 'accounts', envTag: 'dev', tier: 'restricted' })).toBe(true);
  expect(sees(token(), { serviceId: 'cards' })).toBe(false);
  expect(sees(token({ services: 'all' }), { serviceId: 'cards' })).toBe(true);
  expect(sees(token({ services: 'all' }), { envTag: 'prod' })).toBe(false);
  expect(sees(token({ tiers: ['public'] }), { tier: 'public' })).toBe(true);
  expect(sees(token({ tiers: ['public'] }), { tier: 'internal' })).toBe(false);
});

test('a token of an agent sees what its catalog holds, and nothing of a kind that catalogs do not hold', () => {
  expect(sees(token({ within }), {}, holds('held'))).toBe(true);
  expect(sees(token({ within }), {}, holds('other'))).toBe(false);
  expect(sees(token({ within }), { serviceId: 'cards' }, holds('held'))).toBe(false);
  expect(sees(token({ within }), {})).toBe(false);
  expect(sees(token(), {}, holds('other'))).toBe(true);
});
