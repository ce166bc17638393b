import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
export const collectGarbage = runInNewContext('gc') as () => void;

export interface Trickling {
  readonly url: string;
  /** How often it has dripped. */
  readonly dripped: () => number;
  readonly stop: () => void;
}

/** A server whose answer trickles in for five seconds, and garbage is collected meanwhile. */
export async function tricklingAnswer(): Promise<Trickling> {
  let drops = 0;
  const server = createServer((_, answer) => {
    let left = 100;
    const drip = setInterval(() => {
      collectGarbage();
      answer.write('.');
      drops += 1;
      if (left-- === 0) answer.end();
    }, 50);
    answer.once('close', () => {
      clearInterval(drip);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/`,
    dripped: () => drops,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
