import { Problem } from '../http/problem.js';
import { choiceWithin, firstChoice, hostsOf, narrowed, type Choice } from './session-choice.js';

const host = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01';
const other = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e02';
const choose = (more: Partial<Choice> = {}): Choice => ({
  hostId: host,
  serviceId: null,
  envTag: null,
  ...more,
});
const claims = { host: [host, other], sid: ['a', 'b'], env: 'dev', scope: 'catalog:read' };

function codeOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof Problem ? error.code : String(error);
  }
}

test('one host of several is worked on, and no other', () => {
  expect(hostsOf({ host: [` ${host}`, other, host] })).toEqual([host, other]);
  expect(firstChoice(claims)).toEqual(choose());
  expect(narrowed(claims, choose({ hostId: other }))).toMatchObject({ host: other });
  expect(codeOf(() => narrowed(claims, choose({ hostId: '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e03' })))).toBe(
    'host_not_covered',
  );
});

test.each([
  [undefined],
  [[]],
  [7],
  [[host, 7]],
  [[[host]]],
  [Array.from({ length: 51 }, (_, n) => String(n))],
])('hosts that are none, too many or no texts are refused: %p', (wrong) => {
  expect(codeOf(() => hostsOf({ host: wrong }))).toBe('claim_invalid');
});

test('what is chosen is one of the claims, spelt as they are', () => {
  expect(narrowed(claims, choose({ serviceId: 'b', envTag: 'dev' }))).toMatchObject({ sid: 'b', env: 'dev' });
  expect(codeOf(() => narrowed(claims, choose({ serviceId: 'c' })))).toBe('service_not_covered');
  expect(codeOf(() => narrowed(claims, choose({ serviceId: 'A' })))).toBe('service_not_covered');
  expect(codeOf(() => narrowed(claims, choose({ envTag: 'prod' })))).toBe('environment_not_covered');
});

test('nothing chosen leaves the claims as they are', () => {
  expect(narrowed({ ...claims, maxSensitivityTier: 'public' }, choose())).toEqual({
    ...{ ...claims, maxSensitivityTier: 'public' },
    host,
  });
});

test('of two lists the first environment holds until one is chosen; an agent has no list', () => {
  const both = { ...claims, env: ['prod', 'dev'] };
  expect(narrowed(both, choose())).toMatchObject({ sid: ['a', 'b'], env: 'prod' });
  expect(narrowed(both, choose({ serviceId: 'b' }))).toMatchObject({ sid: 'b', env: ['prod', 'dev'] });
  const agent = { ...both, scope: 'catalog:agent' };
  expect(narrowed(agent, choose())).toMatchObject({ sid: 'a', env: 'prod' });
  expect(narrowed(agent, choose({ serviceId: 'b', envTag: 'dev' }))).toMatchObject({ sid: 'b', env: 'dev' });
});

test('one service of all takes the scope for all away, however it is written', () => {
  for (const granted of [
    { scope: 'catalog:read catalog:all-services' },
    { scp: ['catalog:read', 'catalog:all-services'] },
    { scp: 'catalog:all-services catalog:read' },
  ]) {
    const own = narrowed({ host, env: 'dev', ...granted }, choose({ serviceId: 'any' }));
    expect(own).toEqual({ host, env: 'dev', sid: 'any', scope: 'catalog:read' });
  }
  const agent = { host, env: 'dev', sid: 'a', scope: 'catalog:agent catalog:all-services' };
  expect(codeOf(() => narrowed(agent, choose({ serviceId: 'any' })))).toBe('service_not_covered');
});

test('a choice that the claims no longer hold gives way to the first', () => {
  expect(choiceWithin(claims, choose({ hostId: other, serviceId: 'b' }))).toEqual(
    choose({ hostId: other, serviceId: 'b' }),
  );
  expect(choiceWithin({ ...claims, sid: 'a' }, choose({ hostId: other, serviceId: 'b' }))).toEqual(choose());
  expect(choiceWithin({ ...claims, host: other }, choose())).toEqual(choose({ hostId: other }));
});
