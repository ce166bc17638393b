import { filled, referencesIn, type Scope } from './template.js';

const scope: Scope = {
  title: 'Broken',
  count: 0,
  note: null,
  issue: { id: '7', tags: ['a', 'b'] },
  list: [],
};

it.each<[what: string, template: unknown, made: unknown]>([
  ['a parameter', '$title', 'Broken'],
  ['a part of it', { id: '$issue.id', tag: '$issue.tags.1' }, { id: '7', tag: 'b' }],
  ['zero, false and empty lists', ['$count', false, '$list'], [0, false, []]],
  ['constants', { a: 1, b: null, c: 'text', d: ['x'] }, { a: 1, b: null, c: 'text', d: ['x'] }],
  ['a dollar sign', ['$$title', '$5', 'costs $title', '$'], ['$title', '$5', 'costs $title', '$']],
  [
    'nothing of what was left out',
    { a: '$nobody', b: ['$nobody', 1], c: { d: '$nobody' } },
    { b: [1], c: {} },
  ],
  ['nothing of null', { a: '$note', b: ['$note'] }, { b: [] }],
  ['nothing of parts that are not there', ['$issue.tags.7', '$title.length', '$list.length', '$note.a'], []],
  ['nothing of what all objects have', ['$issue.constructor', '$constructor', '$issue.__proto__.x'], []],
])('holds %s', (_what, template, made) => {
  expect(filled(template as never, scope)).toEqual(made);
});

it('holds the null of parameters that say so', () => {
  expect(filled({ a: '$note', b: '$nobody' }, scope, ['note', 'nobody'])).toEqual({ a: null });
});

it('makes members of its own of every name', () => {
  const template = JSON.parse('{"__proto__": {"polluted": "$title"}}') as never;
  const made = filled(template, scope);
  expect(Object.hasOwn(made as object, '__proto__')).toBe(true);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

it('says what it refers to, and where', () => {
  expect(referencesIn({ a: ['$title', 'x'], 'b/c': '$issue.tags.0' }, '/variables')).toEqual([
    { name: 'title', path: [], pointer: '/variables/a/0' },
    { name: 'issue', path: ['tags', '0'], pointer: '/variables/b~1c' },
  ]);
});
