import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { CatalogAdapter } from './catalog-adapter.js';
import { GracefulStop } from './graceful-stop.js';

let server: FastifyInstance;
let stop: GracefulStop;
let port: number;
const stream = new PassThrough();

beforeEach(async () => {
  server = new CatalogAdapter(1024).getInstance();
  stop = new GracefulStop();
  stop.install(server);
  server.get('/stream', (_request, reply) => reply.type('text/event-stream').send(stream));
  await server.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = server.server.address() as AddressInfo);
});
afterEach(() => server.close());

describe('a stop', () => {
  it('does not wait for readers that left before the end of their answer', async () => {
    const leave = new AbortController();
    stream.write(':\n\n');
    await fetch(`http://127.0.0.1:${String(port)}/stream`, { signal: leave.signal });
    const left = once(stream, 'close');
    leave.abort();
    await left;
    await expect(stop.drain(600_000)).resolves.toBeUndefined();
  });

  it('does not wait for connections that never asked for anything', async () => {
    const silent = connect(port, '127.0.0.1');
    const closed = once(silent, 'close');
    await once(server.server, 'connection');
    silent.resume();
    await server.close();
    await expect(closed).resolves.toEqual([false]);
  });
});
