import type { Visibility } from '../../platform/auth/visibility.js';
import type { DriftItem } from './drift.js';

export type { DriftItem };

/** The comparison of a live gateway with the catalog. */
export interface DriftAnswer {
  readonly gatewayId: string;
  readonly checkedAt: string;
  /** The revision of MCP that was spoken. */
  readonly protocolVersion: string;
  /** Ordered by the name of the tool. */
  readonly items: readonly DriftItem[];
}

/** Port for the floors above: compares live gateways with the catalog. */
export abstract class GatewayDrifts {
  /**
   * Changes nothing. Throws NotFound, and Problem 502 where the gateway can't be asked.
   *
   * @param disclosed tools that the caller has seen already, whatever service they are of
   */
  abstract look(
    visibility: Visibility,
    gatewayId: string,
    disclosed?: ReadonlySet<string>,
  ): Promise<DriftAnswer>;
}
