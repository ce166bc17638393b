import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { inSeconds } from '../../../test/dates.js';
import { turns } from '../../../test/turns.js';
import { CatalogAdapter } from './catalog-adapter.js';
import { eventStream, type ServerSentEvent } from './event-stream.js';

const never = new AbortController().signal;
const { jest } = import.meta;
const inAnHour = (): number => inSeconds(3600);

/** Gives the events, then waits for the end. */
async function* given(
  events: readonly ServerSentEvent[],
  ended: AbortSignal,
): AsyncIterable<ServerSentEvent> {
  yield* events;
  if (!ended.aborted) await once(ended, 'abort');
}

async function textOf(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}

it('writes events as text/event-stream has them, until the source ends', async () => {
  const stream = eventStream(
    async function* () {
      yield await Promise.resolve({ id: '7', event: 'Changed', data: '{}' });
      yield { data: '1' };
    },
    { expiresAt: inAnHour(), stop: never },
  );
  expect(await textOf(stream)).toBe(':\n\nid: 7\nevent: Changed\ndata: {}\n\ndata: 1\n\n');
});

it('says expired and ends when the token does', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setInterval'] });
  const stream = eventStream((ended) => given([], ended), { expiresAt: inAnHour(), stop: never });
  let text = '';
  stream.on('data', (chunk) => (text += String(chunk)));
  jest.advanceTimersByTime(3_590_000);
  await turns(3);
  expect(text).toBe(':\n\n');
  jest.advanceTimersByTime(10_000);
  jest.useRealTimers();
  await once(stream, 'end');
  expect(text).toBe(':\n\nevent: expired\ndata: {}\n\n');
});

it('ends when the service stops', async () => {
  const stop = new AbortController();
  const text = textOf(eventStream((ended) => given([], ended), { expiresAt: inAnHour(), stop: stop.signal }));
  stop.abort();
  expect(await text).toBe(':\n\n');
});

it('tells the source when the reader has left', async () => {
  let signal: AbortSignal | undefined;
  const stream = eventStream((ended) => given([], (signal = ended)), { expiresAt: inAnHour(), stop: never });
  stream.destroy();
  await once(stream, 'close');
  expect(signal?.aborted).toBe(true);
});

it('asks a source no faster than its reader reads', async () => {
  let asked = 0;
  const stream = eventStream(
    async function* (ended) {
      while (!ended.aborted) {
        asked += 1;
        yield await Promise.resolve({ data: 'x'.repeat(1000) });
      }
    },
    { expiresAt: inAnHour(), stop: never },
  );
  // Each turn is time for many.
  await turns(100);
  const before = asked;
  expect(before).toBeLessThan(100);
  stream.read();
  await turns(100);
  expect(asked).toBeGreaterThan(before);
  expect(asked).toBeLessThan(200);
  stream.destroy();
});

it('breaks off where the source fails', async () => {
  const stream = eventStream(
    async function* () {
      await Promise.reject(new Error('gone'));
    },
    { expiresAt: inAnHour(), stop: never },
  );
  await expect(textOf(stream)).rejects.toThrow();
});

it('ends its source where only the head of the answer was asked for', async () => {
  const adapter = new CatalogAdapter(1_000);
  const sources: AbortSignal[] = [];
  adapter.getInstance().get('/events', (_request, reply) =>
    adapter.reply(
      reply.type('text/event-stream'),
      eventStream(
        (ended) => {
          sources.push(ended);
          return given([], ended);
        },
        { expiresAt: inAnHour(), stop: never },
      ),
    ),
  );
  const address = await adapter.getInstance().listen({ port: 0, host: '127.0.0.1' });
  const { status, headers } = await fetch(`${address}/events`, { method: 'HEAD' });
  expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  expect(sources.map(({ aborted }) => aborted)).toEqual([true]);
  await adapter.close();
});
