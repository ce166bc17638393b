import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An API that answers with what it was asked, `{asked, token?}`: its path and query, and the authorization. */
export interface EchoApi {
  readonly url: string;
  stop(): void;
}

export async function startEchoApi(): Promise<EchoApi> {
  const server = createServer((request, response) => {
    const body = JSON.stringify({ asked: request.url, token: request.headers.authorization });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
