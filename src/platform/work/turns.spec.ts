import { Turns } from './turns.js';

const busy = () => new Error('busy');

it('refuses the last of the host that has the most waiting, where too many of all wait', async () => {
  const limits = { inAll: 1, ofHost: 1, ofCaller: 1, waiting: 9, waitingInAll: 4, patience: 60_000, busy };
  const turns = new Turns(limits);
  const done: string[] = [];
  let letGo = (): void => undefined;
  const first = turns.run({ hostId: 'a', fingerprint: 'a' }, () => new Promise<void>((end) => (letGo = end)));
  const ask = (hostId: string, name: string): Promise<unknown> =>
    turns
      .run({ hostId, fingerprint: hostId }, () => Promise.resolve(done.push(name)))
      .catch(() => `${name} refused`);
  const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'a4'].map((name) => ask(name.slice(0, 1), name));
  letGo();
  await first;
  const answers = await Promise.all(all);
  expect(answers.filter((answer) => typeof answer === 'string')).toEqual([
    ...['a3 refused', 'b2 refused', 'a4 refused'],
  ]);
  expect(done.toSorted()).toEqual(['a1', 'a2', 'b1', 'c1']);
});
