import { collectGarbage, tricklingAnswer } from '../../test/trickling-answer.js';
import { inTime, limited, limitedFetch } from './requests.js';

it('an answer that trickles in ends when it is aborted, however long it has lasted', async () => {
  const { url, stop } = await tricklingAnswer();
  const ended = new AbortController();
  try {
    const answer = await limitedFetch(fetch)(url, { signal: ended.signal, redirect: 'error' });
    setTimeout(() => {
      ended.abort();
    }, 500);
    await expect(answer.text()).rejects.toMatchObject({ name: 'AbortError' });
  } finally {
    stop();
  }
});

it('what is limited ends in time, also where another signal could end it', async () => {
  const { signal } = new AbortController();
  const work = new Promise<never>(() => undefined);
  const ended = inTime(limited(500, signal), work);
  const collecting = setInterval(collectGarbage, 50);
  await expect(ended).rejects.toMatchObject({ name: 'TimeoutError' });
  clearInterval(collecting);
});
