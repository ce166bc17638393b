import { collectGarbage, tricklingAnswer } from '../../test/trickling-answer.js';
import { turns } from '../../test/turns.js';
import { until } from '../../test/until.js';
import { inTime, limited, limitedFetch } from './requests.js';

const { jest } = import.meta;

it('an answer that trickles in ends when it is aborted, however long it has lasted', async () => {
  const { url, dripped, stop } = await tricklingAnswer();
  const ended = new AbortController();
  try {
    const answer = await limitedFetch(fetch)(url, { signal: ended.signal, redirect: 'error' });
    const read = expect(answer.text()).rejects.toMatchObject({ name: 'AbortError' });
    await until(dripped, (drops) => drops >= 10);
    ended.abort();
    await read;
  } finally {
    stop();
  }
});

it('what is limited ends in time, also where another signal could end it', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  const { signal } = new AbortController();
  const work = new Promise<never>(() => undefined);
  const ended = expect(inTime(limited(500, signal), work)).rejects.toMatchObject({ name: 'TimeoutError' });
  for (let passed = 0; passed < 10; passed += 1) {
    collectGarbage();
    await turns(1);
    jest.advanceTimersByTime(50);
  }
  jest.useRealTimers();
  await ended;
});
