import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { v7 } from 'uuid';
import { ImportEndpoint } from '../../src/endpoints/endpoint/endpoint.decider.js';
import { endpointOffer } from '../../src/formats/endpoint-facts.js';
import { readDescription } from '../../src/formats/read-description.js';
import { CommandEngine } from '../../src/kernel/command-engine.js';
import { carryOut } from '../integration/execute.js';
import { asRead } from './approving.js';
import { sendJson } from './gateway-servers.js';
import { eachOwnServer } from './own-server.js';
import { hostId } from './server.js';

/** What arrives at an API, or at a server of MCP, of what documents of others say: from the import to the request. */

interface Asked {
  readonly method: string | undefined;
  readonly url: string | undefined;
  /** Of a server of MCP the arguments. */
  readonly body: string;
}

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly arguments?: object; readonly protocolVersion?: string };
}

interface Report {
  readonly apiVersionId: string;
  readonly items: readonly {
    readonly endpointId: string;
    readonly endpoint: string;
    readonly changes: readonly object[];
  }[];
  readonly inReview: readonly object[];
}

/** An API, and under `/mcp` a server of MCP, that notes what it is asked. */
class Noting {
  asked: Asked[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      void text(request).then((body) => {
        const { method, url } = request;
        if (url !== '/mcp') {
          this.asked.push({ method, url, body });
          sendJson(response, {});
          return;
        }
        const message = body === '' ? undefined : (JSON.parse(body) as Message);
        if (message?.id === undefined) response.writeHead(method === 'POST' ? 202 : 405).end();
        else sendJson(response, { jsonrpc: '2.0', id: message.id, ...this.replyTo(message) });
      });
    });
  }

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private replyTo({ method, params }: Message): object {
    if (method === 'initialize') {
      const serverInfo = { name: 'noting', version: '1' };
      return { result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } };
    }
    if (method !== 'tools/call') return { error: { code: -32601, message: 'Method not found' } };
    this.asked.push({ method, url: '/mcp', body: JSON.stringify(params?.arguments) });
    return { result: { content: [] } };
  }
}

const openapi = (paths: string, rest = '') =>
  `openapi: 3.0.3\ninfo: {title: Shelf, version: 1.0.0}\npaths: {${paths}}\n${rest}`;
const body = (schema: string) =>
  `requestBody: {required: true, content: {application/json: {schema: ${schema}}}}`;
const operation = (operationId: string, more = '') =>
  `{operationId: ${operationId}, ${more === '' ? '' : `${more}, `}responses: {'200': {description: Done.}}}`;

const documents: readonly (string | object)[] = [
  openapi(`
    '/labels/{label:[0-9]+}/rename': {put: ${operation('renameLabel', 'parameters: [{name: label, in: path, required: true, schema: {type: integer}}]')}},
    '/drafts?preview=yes': {post: ${operation('previewDraft')}},
    /look: {get: ${operation('look', body('{type: object, properties: {word: {type: string}}}'))}}
  `),
  openapi(
    `
    /colours: {post: ${operation('setColours', body('{type: object, properties: {colours: {type: array, uniqueItems: true, items: {type: object}}}}'))}},
    /teams: {post: ${operation('makeTeam', body("{type: object, properties: {head: {$ref: '#/components/schemas/Head'}}}"))}},
    /books: {post: ${operation('addBook', body("{type: object, required: [shelf], properties: {shelf: {nullable: true, oneOf: [{$ref: '#/components/schemas/Shelf'}]}}}"))}},
    /vehicles: {post: ${operation('addVehicle', body("{$ref: '#/components/schemas/Vehicle'}"))}},
    /editions: {get: ${operation('listEditions', 'parameters: [{name: edition, in: query, schema: {type: string, enum: [2.10, 0031]}}]')}}
  `,
    `components:
  schemas:
    Head: {allOf: [{$ref: '#/components/schemas/Human'}, {type: object, properties: {from: {type: string}}}]}
    Human: {allOf: [{$ref: '#/components/schemas/Head'}, {type: object, properties: {nick: {type: string}}}]}
    Shelf: {type: object, properties: {row: {type: integer}}}
    Vehicle: {type: object, required: [kind], properties: {kind: {type: string}}, discriminator: {propertyName: kind, mapping: {van: '#/components/schemas/Van'}}}
    Van: {allOf: [{$ref: '#/components/schemas/Vehicle'}, {type: object, required: [load], properties: {load: {type: integer}}}]}
`,
  ),
  {
    tools: [
      {
        name: 'pick',
        description: 'Picks.',
        inputSchema: {
          type: 'object',
          properties: { 'keys[]': { type: 'array', items: { type: 'string' } }, $skip: { type: 'integer' } },
        },
      },
    ],
  },
];

eachOwnServer(
  (server) => {
    const api = new Noting();
    const gatewayId = v7();
    let url: string;

    beforeAll(async () => {
      url = await api.start();
      for (const [index, document] of documents.entries()) {
        const version = { apiVersion: '1.0.0', serviceId: 'shelf', envTag: 'dev' };
        const sent = { api: { apiId: `shelf-${String(index)}` }, version, document, publish: true };
        expect((await server().api('POST', '/imports', { body: sent })).status).toBe(200);
      }
      const { items } = (await server().api<{ items: { name: string; toolId: string }[] }>('GET', '/tools'))
        .body;
      const profile = { serviceId: 'gateway', envTag: 'dev', url: 'http://127.0.0.1:4000/mcp' };
      await server().api('PUT', `/gateways/${gatewayId}`, { body: profile });
      const tools = items.map(({ name, toolId }) => ({
        toolId,
        targetHost: name === 'pick' ? `${url}/mcp` : url,
      }));
      const exposed = await server().api('PUT', `/gateways/${gatewayId}/exposures`, { body: { tools } });
      expect(exposed.status).toBe(200);
    });
    beforeEach(() => {
      api.asked = [];
    });
    afterAll(() => {
      api.stop();
    });

    /** What the model is told. */
    const call = async (name: string, args: object, gateway = gatewayId): Promise<string> => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      const path = `//development/gateways/${gateway}/mcp`;
      const headers = { accept: 'application/json, text/event-stream' };
      return (await server().api('POST', path, { body: message, headers })).text;
    };

    it.each<[string, object, Asked]>([
      ['renameLabel', { label: 7 }, { method: 'PUT', url: '/labels/7/rename', body: '' }],
      ['previewDraft', {}, { method: 'POST', url: '/drafts?preview=yes', body: '' }],
      ['look', { word: 'w' }, { method: 'GET', url: '/look', body: '{"word":"w"}' }],
      [
        'setColours',
        { colours: [{}, { valueOf: '' }] },
        { method: 'POST', url: '/colours', body: '{"colours":[{},{"valueOf":""}]}' },
      ],
      [
        'makeTeam',
        { head: { nick: 'Jo', from: 'May' } },
        { method: 'POST', url: '/teams', body: '{"head":{"nick":"Jo","from":"May"}}' },
      ],
      ['addBook', { shelf: null }, { method: 'POST', url: '/books', body: '{"shelf":null}' }],
      [
        'addVehicle',
        { kind: 'van', load: 3 },
        { method: 'POST', url: '/vehicles', body: '{"kind":"van","load":3}' },
      ],
      ['listEditions', { edition: '2.10' }, { method: 'GET', url: '/editions?edition=2.10', body: '' }],
      [
        'pick',
        { keys: ['a'], skip: 2 },
        { method: 'tools/call', url: '/mcp', body: '{"keys[]":["a"],"$skip":2}' },
      ],
    ])('sends %s %j as the document says', async (name, args, asked) => {
      await call(name, args);
      expect(api.asked).toEqual([asked]);
    });

    it.each([
      ['addVehicle', { kind: 'van' }],
      ['addVehicle', { kind: 'bus', load: 3 }],
      ['makeTeam', { head: { nick: 5 } }],
      ['listEditions', { edition: '2.1' }],
    ])('says of %s %j that the arguments do not fit, and sends nothing', async (name, args) => {
      expect(await call(name, args)).toContain('invalid_arguments');
      expect(api.asked).toEqual([]);
    });

    const inText = (version: string, paths: string) =>
      JSON.stringify(`openapi: 3.0.3\ninfo: {title: A, version: ${version}}\npaths: {${paths}}`);
    const asObject = (version: string, paths: string) =>
      `{"openapi":"3.0.3","info":{"title":"A","version":${version}},"paths":{${paths}}}`;
    const asText = (version: string, paths: string) => JSON.stringify(asObject(version, paths));

    it.each([
      ['yaml', inText],
      ['json', asText],
      ['object', asObject],
    ])('keeps versions apart that are written as numbers and are other texts: %s', async (kind, write) => {
      const apiId = `apart-${kind}`;
      const path = (name: string) => `"/${name}": {"get": {"operationId": "${name}", "responses": {}}}`;
      const bring = async (document: string) => {
        const beside = JSON.stringify({ api: { apiId }, version: { serviceId: 'apart', envTag: 'dev' } });
        const raw = `${beside.slice(0, -1)},"document":${document}}`;
        return (await server().api('POST', '/imports', { raw })).body;
      };
      await bring(write('2.1', `${path('bills')}, ${path('old')}`));
      expect(await bring(write('2.10', path('bills')))).toMatchObject({ total: 1, added: 1, deactivated: 0 });
      const { body } = await server().api<{ items: object[] }>('GET', `/apis/${apiId}/versions`);
      expect(body.items).toMatchObject([{ apiVersion: '2.1' }, { apiVersion: '2.10' }]);
    });

    it('goes on as before with what was read before, and comes to what is read now by a version', async () => {
      const apiId = 'before';
      const list = '{type: array, items: {type: string}}';
      const parameters = `parameters: [{name: 'tags[]', in: query, required: true, schema: ${list}}]`;
      const document = openapi(`/before: {get: ${operation('listBefore', parameters)}}`);
      const bring = async () => {
        const version = { apiVersion: '1.0.0', serviceId: 'shelf', envTag: 'dev' };
        const sent = { api: { apiId }, version, document };
        return (await server().api<Report>('POST', '/imports', { body: sent })).body;
      };
      const { apiVersionId, items } = await bring();
      const [endpoint] = items;
      if (endpoint === undefined) throw new Error('Nothing was read.');
      // What an earlier reader made of the document: arguments had the names of the API.
      const [offer] = (await readDescription(document, { format: 'auto' })).offers;
      const facts = JSON.parse(
        offer?.facts.replaceAll('"tags":', '"tags[]":').replaceAll('["tags"]', '["tags[]"]') ?? '',
      ) as object;
      const { digest, endpoint: key } = endpointOffer(endpoint.endpoint, facts);
      const context = { hostId, actor: { user: 'before' }, correlationId: v7() };
      const about = { apiId, apiVersionId, serviceId: 'shelf', envTag: 'dev', endpoint: key };
      await carryOut(server().app.get(CommandEngine), context, () => [
        new ImportEndpoint(
          hostId,
          endpoint.endpointId,
          { ...about, layer: 'source', digest, facts, mayLoosen: true },
          false,
        ),
      ]);
      const published = await server().api<{ items: { id: string }[] }>('POST', '/tools/publish', {
        body: { filter: { apiVersionId } },
      });
      const toolId = published.body.items[0]?.id;
      const other = v7();
      const profile = { serviceId: 'other', envTag: 'dev', url: 'http://127.0.0.1:4000/mcp' };
      await server().api('PUT', `/gateways/${other}`, { body: profile });
      const body = { tools: [{ toolId, targetHost: url }] };
      await server().api('PUT', `/gateways/${other}/exposures`, { body });
      const sends = async (args: object) => {
        await call('listBefore', args, other);
        return api.asked.splice(0).map((asked) => asked.url);
      };
      expect(await sends({ 'tags[]': ['a'] })).toEqual(['/before?tags%5B%5D=a']);

      const report = await bring();
      expect(report.items).toMatchObject([
        { change: 'changed', breaking: true, grades: { inputSchema: 'breaking' } },
      ]);
      expect(report.items[0]?.changes).toContainEqual(
        expect.objectContaining({ field: 'inputSchema', at: '/required', before: 'tags[]' }),
      );
      expect(report.inReview).toMatchObject([{ toolName: 'listBefore', version: '2.0.0' }]);
      expect(await sends({ 'tags[]': ['a'] })).toEqual(['/before?tags%5B%5D=a']);
      const approving = `/tools/${String(toolId)}/versions/2.0.0/approve`;
      const approval = await asRead(server(), approving, { override: { reason: 'Read by hand.' } });
      expect((await server().api('POST', approving, { body: approval })).status).toBe(200);
      expect(await sends({ tags: ['a'] })).toEqual(['/before?tags%5B%5D=a']);
      expect(await server().differences()).toEqual([]);
    });
  },
  { OUTBOUND_ALLOW: '127.0.0.1' },
);
