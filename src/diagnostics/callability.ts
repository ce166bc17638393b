import type { DriftItem } from '../gateways/gateway-drifts.port.js';

/** A gateway as it was found just now. */
export interface FoundGateway {
  readonly gatewayId: string;
  /** The tools that the catalog exposes on it. */
  readonly exposes: ReadonlySet<string>;
  /** What it lists; absent where it could not be asked. */
  readonly items?: readonly DriftItem[];
  /** Code of why it could not be asked. */
  readonly failure?: string;
}

/** Why a tool could not be called, at one gateway or at all. */
export interface Obstacle {
  readonly code: string;
  readonly gatewayId?: string;
}

/**
 * What keeps an agent from calling a tool now: nothing where one of its gateways lists the tool as the catalog knows it,
 * or with changes that break nobody.
 *
 * @param elsewhere tools that are exposed on gateways which were not asked: of these no more is known
 */
export function obstaclesTo(
  toolId: string,
  gateways: readonly FoundGateway[],
  elsewhere: ReadonlySet<string>,
): readonly Obstacle[] {
  const selected = gateways.filter(({ exposes }) => exposes.has(toolId));
  const obstacles = selected.map((gateway) => ({ gateway, code: obstacleAt(gateway, toolId) }));
  if (obstacles.some(({ code }) => code === undefined)) return [];
  const found = obstacles.flatMap(({ gateway: { gatewayId }, code }) =>
    code === undefined ? [] : { code, gatewayId },
  );
  if (elsewhere.has(toolId)) return [...found, { code: 'gateway_not_asked' }];
  if (selected.length > 0) return found;
  return [{ code: gateways.length === 0 ? 'no_gateway' : 'not_exposed' }];
}

function obstacleAt({ items, failure }: FoundGateway, toolId: string): string | undefined {
  if (items === undefined) return failure ?? 'gateway_error';
  const own = items.filter((item) => item.toolId === toolId);
  if (own.length === 0) return 'tool_inactive';
  return own.find(isObstacle)?.finding;
}

function isObstacle({ finding, grade }: DriftItem): boolean {
  return (
    grade === 'breaking' ||
    ['missing_from_gateway', 'inactive_in_catalog', 'policy_blocked'].some((each) => each === finding)
  );
}
