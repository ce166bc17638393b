import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { v7 } from 'uuid';
import {
  startDevelopmentGateway,
  type RunningGateway,
} from '../../src/development-gateway/development-gateway.js';
import { readConfig } from '../../src/platform/config/config.js';
import { createLog } from '../../src/platform/logging/log.js';
import { asRead } from './approving.js';
import { fresh, override, type guardsWorld } from './guards-world.js';
import { hostId, type Server } from './server.js';

/** What a call says beside its arguments. */
interface Said {
  /** In `_meta`. */
  readonly version?: string;
  /** In the header for it. */
  readonly header?: string;
  /** Empty where nobody calls. */
  readonly token?: string;
}

/** Tools that specs say, from the push to the call through a development gateway. `begin` comes first, `end` last. */
export class CalledSpecs {
  readonly tokens = { author: '', reviewer: '', agent: '' };
  /** Of the gateway's log. */
  readonly lines: string[] = [];
  /** Path of the gateway in the catalog. */
  at = '';
  private gateway: RunningGateway | undefined;

  constructor(
    private readonly server: () => Server,
    private readonly ask: ReturnType<typeof guardsWorld>['ask'],
  ) {}

  /** Where the gateway is called. */
  get url(): URL {
    return new URL(this.gateway?.url ?? '');
  }

  /** Makes the tokens. */
  async begin(): Promise<void> {
    const scope = 'catalog:read catalog:write catalog:approve catalog:all-services';
    this.tokens.author = await this.server().token({ sub: 'ada', scope: `${scope} catalog:admin` });
    this.tokens.reviewer = await this.server().token({ sub: 'grace', scope });
    this.tokens.agent = await this.server().token({ scope: 'catalog:agent', sid: 'agent' });
  }

  push(
    specText: string,
  ): Promise<{ readonly id: string; readonly toolVersion: string; readonly outcome: string }> {
    return this.ask('POST', '/tools/specs', { specText }, this.tokens.author);
  }

  /** Pushes a spec and has it approved; gives the id of the tool. */
  async published(specText: string): Promise<string> {
    const { id, toolVersion } = await this.push(specText);
    const path = `/tools/${id}/versions/${toolVersion}`;
    await this.ask('POST', `${path}/submit`, {}, this.tokens.author);
    const body = await asRead(this.server(), `${path}/approve`, override);
    await this.ask('POST', `${path}/approve`, body, this.tokens.reviewer);
    return id;
  }

  /** What is wrong with a spec that is refused. */
  async faultsOf(specText: string): Promise<string[]> {
    const { status, body } = await this.server().api<{
      code: string;
      errors: { pointer: string; detail: string }[];
    }>('POST', '/tools/specs', { body: { specText }, token: this.tokens.author });
    expect([status, body.code]).toEqual([400, 'invalid_spec']);
    return body.errors.map(({ pointer, detail }) => `${pointer} ${detail}`);
  }

  /** Exposes tools on a gateway that is made for them, and starts it. */
  async expose(tools: readonly object[]): Promise<void> {
    const gatewayId = v7();
    this.at = `/gateways/${gatewayId}`;
    const url = 'http://127.0.0.1:4000/mcp';
    await this.ask('PUT', this.at, { serviceId: fresh('gateway'), envTag: 'dev', url });
    await this.ask('PUT', `${this.at}/exposures`, { tools });
    this.gateway = await startDevelopmentGateway(
      {
        gateway: { gatewayId, hostId, envTag: 'dev' },
        address: new URL('http://127.0.0.1:0/mcp'),
        anonymous: true,
        readConfig: async () => (await this.server().api('GET', `${this.at}/config`)).text,
        limits: { timeMs: 1500, bytes: 200_000 },
      },
      readConfig({ DATA_DIR: this.server().directory, OUTBOUND_ALLOW: '127.0.0.1' }),
      createLog('info', { write: (line) => void this.lines.push(line) }),
    );
  }

  async call(name: string, args: object, { version, header, token = this.tokens.agent }: Said = {}) {
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    const headers = {
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(header !== undefined && { 'portal-catalog-version': header }),
    };
    await client.connect(new StreamableHTTPClientTransport(this.url, { requestInit: { headers } }));
    try {
      const { isError, content, structuredContent, _meta } = await client.callTool({
        ...{ name, arguments: { ...args } },
        ...(version !== undefined && { _meta: { 'portal-catalog/version': version } }),
      });
      const [first] = content;
      return { isError, said: first?.type === 'text' ? first.text : '', structuredContent, _meta };
    } finally {
      await client.close();
    }
  }

  async end(): Promise<void> {
    await this.gateway?.stop();
  }
}
