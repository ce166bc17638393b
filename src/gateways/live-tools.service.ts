import { Injectable } from '@nestjs/common';
import { Invalid } from '../eventsourcing/errors.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { Problem } from '../platform/http/problem.js';
import { ToolsListReading, type ListedTool } from '../importers/import.port.js';
import { gatewayFault, GatewayFault, toolFault } from './gateway-fault.js';
import type { GatewayFacts } from './gateway.lookup.js';
import { LiveGateway } from './live-gateway.service.js';

/** What a gateway listed, read and checked; nothing of it is trusted or stored. */
export interface LiveAnswer {
  readonly checkedAt: string;
  readonly protocolVersion: string;
  readonly offers: readonly ListedTool[];
}

/** Warnings about a tool that can't be taken as it is: parts of its schema are none, or it is no tool at all. */
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
      const { offers, warnings } = await this.reading.read(tools);
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
