import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
export const collectGarbage = runInNewContext('gc') as () => void;

/** A server whose answer trickles in for five seconds, and garbage is collected meanwhile. */
export async function tricklingAnswer(): Promise<{ readonly url: string; readonly stop: () => void }> {
  const server = createServer((_, answer) => {
    let left = 100;
    const drip = setInterval(() => {
      collectGarbage();
      answer.write('.');
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
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
