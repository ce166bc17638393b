import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/**
 * The least that can be called an import: a document taken in over HTTP, parsed and upgraded in one of two processes, and
 * each operation copied as it stands, once as an event and once as a row, in one transaction. Nothing is checked, resolved,
 * hashed, ordered or indexed. `bare-import.server.js <url>`
 */
const pool = new pg.Pool({ connectionString: process.argv[2] });
await pool.query(`CREATE TABLE event (position bigserial PRIMARY KEY, id uuid NOT NULL, payload text NOT NULL);
  CREATE TABLE operation (id uuid PRIMARY KEY, said jsonb NOT NULL)`);

const worker = fileURLToPath(new URL('./bare-import.worker.js', import.meta.url));
const idle: ChildProcess[] = [];
const waiting: ((free: ChildProcess) => void)[] = [];
const release = (free: ChildProcess): void => {
  const next = waiting.shift();
  if (next === undefined) idle.push(free);
  else next(free);
};
for (let count = 0; count < 2; count += 1)
  release(fork(worker, [], { serialization: 'advanced', execArgv: ['--max-semi-space-size=32'] }));

async function read(body: Buffer): Promise<string[]> {
  const free = idle.pop() ?? (await new Promise<ChildProcess>((resolve) => waiting.push(resolve)));
  free.send(body);
  const [operations] = (await once(free, 'message')) as [string[]];
  release(free);
  return operations;
}

async function bring(request: IncomingMessage): Promise<number> {
  const operations = await read(await buffer(request));
  const ids = operations.map(() => randomUUID());
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query('INSERT INTO event (id, payload) SELECT * FROM unnest($1::uuid[], $2::text[])', [
    ids,
    operations,
  ]);
  await client.query('INSERT INTO operation SELECT * FROM unnest($1::uuid[], $2::jsonb[])', [
    ids,
    operations,
  ]);
  await client.query('COMMIT');
  client.release();
  return operations.length;
}

const server = createServer((request, response) => {
  void bring(request).then((total) => response.end(JSON.stringify({ total })));
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`listens on http://127.0.0.1:${String(port)}\n`);
});
