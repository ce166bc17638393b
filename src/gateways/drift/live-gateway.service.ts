import { Client, StreamableHTTPClientTransport, type Tool } from '@modelcontextprotocol/client';
import { Inject, Injectable } from '@nestjs/common';
import { Invalid } from '../../kernel/errors.js';
import { type ListedTool, ToolsListReading } from '../../importers/public.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { Problem } from '../../platform/http/problem.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { Outbound, type OutboundLimits, type OutboundSession } from '../../platform/network/outbound.js';
import { SecretStore, SecretUnavailable } from '../../platform/network/secret-store.js';
import { gatewayFault, GatewayFault, toolFault } from './gateway-fault.js';
import type { GatewayFacts } from '../gateway.record.js';

/** Limits of a request for a gateway's tools. */
interface LiveLimits extends OutboundLimits {
  readonly tools: number;
  readonly pages: number;
}

const liveLimits: Omit<LiveLimits, 'timeMs'> = {
  bytes: 16 * 1024 * 1024,
  tools: 5_000,
  pages: 500,
};

/** What a gateway lists now. */
interface LiveList {
  /** The revision of MCP that was spoken. */
  readonly protocolVersion: string;
  readonly tools: readonly Tool[];
}

const modes = {
  auto: 'auto',
  '2025-11-25': 'legacy',
  '2026-07-28': { pin: '2026-07-28' },
} as const;

/** Asks gateways what they list: by the official client, through the guard, within limits of time, size and number. */
@Injectable()
export class LiveGateway {
  private readonly limits: LiveLimits;

  constructor(
    private readonly outbound: Outbound,
    private readonly secrets: SecretStore,
    @Inject(CONFIG) { gatewayTimeout }: Pick<Config, 'gatewayTimeout'>,
  ) {
    this.limits = { ...liveLimits, timeMs: gatewayTimeout };
  }

  /** All pages of `tools/list`. Throws GatewayFault. */
  async list(hostId: string, gateway: GatewayFacts): Promise<LiveList> {
    const url = new URL(gateway.url);
    let session: OutboundSession | undefined;
    try {
      const headers = await this.credentials(hostId, gateway, url);
      return await this.outbound.with(url, this.limits, (opened) => {
        session = opened;
        return this.converse(opened, url, gateway, headers);
      });
    } catch (error) {
      throw gatewayFault(error, session?.fault);
    }
  }

  private async credentials(
    hostId: string,
    { auth }: GatewayFacts,
    { origin }: URL,
  ): Promise<Record<string, string>> {
    if (auth === null) return {};
    try {
      return { authorization: `Bearer ${await this.secrets.valueFor(hostId, auth.secret, origin)}` };
    } catch (error) {
      if (!(error instanceof SecretUnavailable)) throw error;
      const reason = error.message.replace(/\.$/, '');
      throw new GatewayFault('gateway_secret_unavailable', `can’t be sent its credential: ${reason}`);
    }
  }

  private async converse(
    session: OutboundSession,
    url: URL,
    { protocolVersion }: GatewayFacts,
    headers: Record<string, string>,
  ): Promise<LiveList> {
    const transport = new StreamableHTTPClientTransport(url, {
      fetch: session.fetch,
      requestInit: { headers },
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 1000,
        maxReconnectionDelay: 1000,
        reconnectionDelayGrowFactor: 1,
      },
    });
    const client = new Client(
      { name: 'portal-catalog', version: '1.0.0' },
      { versionNegotiation: { mode: modes[protocolVersion] }, enforceStrictCapabilities: true },
    );
    const { timeMs: timeout } = this.limits;
    try {
      await client.connect(transport, { timeout });
      const tools = await this.everyPage(client, timeout);
      const spoken = client.getNegotiatedProtocolVersion() ?? protocolVersion;
      // Ends the session, where the gateway keeps sessions at all.
      await transport.terminateSession().catch(() => undefined);
      return { protocolVersion: spoken, tools };
    } finally {
      await client.close().catch(() => undefined);
    }
  }

  private async everyPage(client: Client, timeout: number): Promise<readonly Tool[]> {
    const tools: Tool[] = [];
    const seen = new Set<string>();
    for (let cursor: string | undefined; ;) {
      const params = cursor === undefined ? {} : { cursor };
      const page = await client.request({ method: 'tools/list', params }, { timeout });
      tools.push(...page.tools);
      if (tools.length > this.limits.tools)
        throw new GatewayFault(
          'gateway_too_many_tools',
          `lists more than ${String(this.limits.tools)} tools`,
        );
      cursor = page.nextCursor;
      if (cursor === undefined || cursor === '') return tools;
      if (seen.has(cursor) || seen.size >= this.limits.pages)
        throw new GatewayFault('gateway_endless_pages', 'gives cursors that never come to an end');
      seen.add(cursor);
    }
  }
}

/** What a gateway listed, read and checked; nothing of it is trusted or stored. */
export interface LiveAnswer {
  readonly checkedAt: string;
  readonly protocolVersion: string;
  readonly offers: readonly ListedTool[];
}

/** Warnings about tools that can't be accepted as they are: a part of the schema is invalid, or it is no tool at all. */
const unfit: readonly string[] = ['schema_mended', 'tool_skipped'];

/** Asks a gateway for its tools and reads them as an import would: the part of a check that takes time. */
@Injectable()
export class LiveTools {
  private readonly asked: ReturnType<typeof histogramOf>;

  constructor(
    private readonly gateway: LiveGateway,
    private readonly reading: ToolsListReading,
    metrics: Metrics,
  ) {
    this.asked = histogramOf(metrics);
  }

  /**
   * Throws Problem 502 with a code that says what is wrong with the gateway (docs/contract.md, section 9). What is wrong here, as where too
   * many documents wait to be read, is thrown as it is.
   */
  async of(hostId: string, gateway: GatewayFacts): Promise<LiveAnswer> {
    const ended = this.asked.startTimer();
    try {
      const { protocolVersion, tools } = await this.gateway.list(hostId, gateway);
      const checkedAt = new Date().toISOString();
      const { offers, warnings } = await this.reading.read(tools, hostId);
      const fault = warnings.find(({ code }) => unfit.includes(code));
      if (fault !== undefined) throw toolFault(fault.pointer, fault.detail);
      ended({ result: 'answered' });
      return { checkedAt, protocolVersion, offers };
    } catch (error) {
      if (!(error instanceof GatewayFault || error instanceof Invalid)) {
        ended({ result: 'not_read' });
        throw error;
      }
      const { code, what } = gatewayFault(error);
      ended({ result: code });
      throw new Problem(502, code, `The gateway ${gateway.gatewayId} ${what}.`);
    }
  }
}

function histogramOf(metrics: Metrics) {
  return metrics.histogram(
    'catalog_gateway_check_seconds',
    'Time to ask a gateway for its tools, by result.',
    ['result'],
  );
}
