import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const changed = [id, { name: 'version', in: 'query', required: true, schema: { type: 'integer' } }];
const ticket = {
  type: 'object',
  required: ['key', 'version'],
  properties: { key: { type: 'string' }, version: { type: 'integer' }, owner: { type: 'string' } },
};
const answered = { 200: { description: 'ok', content: { 'application/json': { schema: ticket } } } };

/** The document of a service for tickets over HTTP. */
export const ticketsDocument = {
  openapi: '3.1.0',
  info: { title: 'Tickets', version: '1' },
  paths: {
    '/tickets/{id}': {
      get: { operationId: 'getTicket', parameters: [id], responses: answered },
      put: { operationId: 'closeTicket', parameters: changed, responses: { 204: { description: 'closed' } } },
      delete: {
        operationId: 'deleteTicket',
        parameters: changed,
        responses: { 204: { description: 'gone' } },
      },
    },
    '/tickets': { get: { operationId: 'listTickets', responses: { 200: { description: 'undescribed' } } } },
  },
};

/** That service. */
export class TicketsApi {
  /** Method and address of each request. */
  readonly asked: string[] = [];

  private constructor(
    readonly url: string,
    readonly stop: () => void,
  ) {}

  static async start(): Promise<TicketsApi> {
    const api: { self?: TicketsApi } = {};
    const server = createServer((request, response) => {
      const { method = '', url = '' } = request;
      api.self?.asked.push(`${method} ${url}`);
      const name = decodeURIComponent(/^\/tickets\/([^?]*)/.exec(url)?.[1] ?? '');
      if (name === 'gone') response.writeHead(404).end('There is no such ticket.');
      else if (method === 'PUT' && name.startsWith('locked')) response.writeHead(409).end('It is locked.');
      else if (method === 'PUT') response.writeHead(200).end();
      else
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ key: name.toUpperCase() === name ? 7 : name, version: 3 }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return (api.self = new TicketsApi(`http://127.0.0.1:${String(port)}`, () => {
      server.closeAllConnections();
      server.close();
    }));
  }
}
