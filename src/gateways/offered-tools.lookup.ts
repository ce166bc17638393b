import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, type Database } from '../kernel/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { VersionLinks } from '../tools/public.js';
import { exposedTools, type ExposedTool } from './exposed-tools.lookup.js';
import { findGateway, type GatewayFacts, requireGateway } from './gateway.record.js';
import { routerConfig } from './mcp-router.js';

/** What a gateway is deployed with. */
@Injectable()
export class OfferedTools {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly links: VersionLinks,
  ) {}

  /** The gateway of a host, active or not, whoever asks. */
  gatewayOf(hostId: string, gatewayId: string): Promise<GatewayFacts | undefined> {
    return findGateway(this.database.of(hostId), hostId, gatewayId);
  }

  /** Of the exposed tools that the token covers, those that agents are given. Throws NotFound. */
  async of(
    visibility: Visibility,
    gatewayId: string,
  ): Promise<{ readonly gateway: GatewayFacts; readonly tools: readonly ExposedTool[] }> {
    const sql = this.database.of(visibility.hostId);
    const gateway = await requireGateway(sql, visibility, gatewayId);
    const tools = await exposedTools(sql, visibility, gatewayId, this.links);
    return { gateway, tools: tools.filter(({ active, waits }) => active && !waits) };
  }

  /** The same as the `mcp-router.tools` part of values.yml. Throws NotFound. */
  async configOf(visibility: Visibility, gatewayId: string): Promise<string> {
    const { gateway, tools } = await this.of(visibility, gatewayId);
    return routerConfig(tools, gateway);
  }
}
