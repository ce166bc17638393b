import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { newHome, type Home } from './home.js';
import type { Kind } from './kinds.js';
import { launch, usual } from './launch.js';
import { Replay, replayOf } from './replay.js';

/** What the tests of a worker ask of its process of applications. */
export type Order =
  | { readonly start: Kind; readonly environment?: NodeJS.ProcessEnv }
  | { readonly stop: string }
  /** What the log of a host makes otherwise: the answer are the differences. */
  | { readonly replay: string; readonly host: string };

/** An application that runs; `directory` holds the key that signs its tokens. */
export interface Started {
  readonly address: string;
  readonly directory: string;
}

interface Running extends Started {
  readonly app: NestFastifyApplication;
  readonly home: Home;
  readonly replay: Replay;
}

/**
 * Runs applications for the test files of one worker: its code is loaded once, and stays warm. Those without settings of
 * their own share one on each database. It ends, and clears up, with the worker.
 */
const running = new Map<string, Running>();
const shared = new Map<Kind, Promise<Started>>();

async function start(kind: Kind, environment: NodeJS.ProcessEnv): Promise<Started> {
  const home = await newHome(kind);
  const { app, address } = await launch(home, environment, process.stderr);
  const started = { address, directory: home.directory };
  running.set(address, { ...started, app, home, replay: replayOf(app) });
  return started;
}

async function stop(address: string): Promise<void> {
  const { app, home } = running.get(address) ?? {};
  running.delete(address);
  await app?.close();
  await home?.raze();
}

async function obey(order: Order): Promise<Started | readonly string[] | undefined> {
  if ('replay' in order) return running.get(order.replay)?.replay.differences(order.host);
  if ('stop' in order) {
    await stop(order.stop);
    return undefined;
  }
  const { start: kind, environment } = order;
  if (environment !== undefined) return start(kind, environment);
  const own = shared.get(kind) ?? start(kind, usual);
  shared.set(kind, own);
  return own;
}

process.on('message', ({ id, order }: { readonly id: number; readonly order: Order }) => {
  obey(order).then(
    (value) => process.send?.({ id, value }),
    (error: unknown) => process.send?.({ id, error: error instanceof Error ? error.stack : String(error) }),
  );
});
// Ctrl-C reaches this process, too; it goes with its worker, not before it.
process.on('SIGINT', () => undefined);
process.once('disconnect', () => {
  void Promise.allSettled([...running.keys()].map(stop)).then(() => process.exit());
});
