import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The baseline of what is served from memory: bare node:http with the same bytes. `bare.server.js <file> <etag>` */
const [, , file = '', etag = ''] = process.argv;
const bytes = readFileSync(file);

const server = createServer((request, response) => {
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, { etag }).end();
    return;
  }
  const type = 'application/json; charset=utf-8';
  response.writeHead(200, { etag, 'content-type': type, 'content-length': bytes.length }).end(bytes);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`listens on http://127.0.0.1:${String(port)}\n`);
});
