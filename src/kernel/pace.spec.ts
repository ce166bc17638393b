import { setImmediate as nextTurn } from 'node:timers/promises';
import { Turns } from './pace.js';

test('of many that wait one begins in each turn of the event loop, and others are served in between', async () => {
  const turns = new Turns();
  const served: string[] = [];
  const waiting = ['one', 'two', 'three'].map(async (name) => {
    await turns.next();
    served.push(name);
  });
  const other = (async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      await nextTurn();
      served.push('other');
    }
  })();
  await Promise.all([...waiting, other]);
  const begun = served.flatMap((name, at) => (name === 'other' ? [] : [at]));
  expect(begun.map((at) => served[at])).toEqual(['one', 'two', 'three']);
  expect(begun.slice(1).every((at) => served[at - 1] === 'other')).toBe(true);
});
