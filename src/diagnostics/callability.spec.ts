import { obstaclesTo, type FoundGateway } from './callability.js';
import type { DriftItem } from '../gateways/gateway-drifts.port.js';

const found = (
  gatewayId: string,
  finding: DriftItem['finding'],
  more: Partial<DriftItem> = {},
): FoundGateway => ({
  gatewayId,
  exposes: new Set(['tool']),
  items: [{ toolName: 'tool', toolId: 'tool', finding, ...more }],
});
const failed: FoundGateway = { gatewayId: 'down', exposes: new Set(['tool']), failure: 'gateway_timeout' };

test('one gateway that lists the tool is enough', () => {
  expect(obstaclesTo('tool', [failed, found('a', 'in_sync')])).toEqual([]);
  expect(obstaclesTo('tool', [found('a', 'schema_changed', { grade: 'compatible' })])).toEqual([]);
  expect(obstaclesTo('tool', [found('a', 'description_changed')])).toEqual([]);
});

test('else every gateway says why not', () => {
  expect(obstaclesTo('tool', [failed, found('a', 'missing_from_gateway')])).toEqual([
    { code: 'gateway_timeout', gatewayId: 'down' },
    { code: 'missing_from_gateway', gatewayId: 'a' },
  ]);
  expect(obstaclesTo('tool', [found('a', 'policy_blocked')])).toEqual([
    { code: 'policy_blocked', gatewayId: 'a' },
  ]);
  expect(obstaclesTo('tool', [found('a', 'schema_changed', { grade: 'breaking' })])).toEqual([
    { code: 'schema_changed', gatewayId: 'a' },
  ]);
});

test('a tool that is on no gateway, or inactive there', () => {
  expect(obstaclesTo('tool', [])).toEqual([{ code: 'no_gateway' }]);
  expect(obstaclesTo('other', [found('a', 'in_sync')])).toEqual([{ code: 'not_exposed' }]);
  const idle: FoundGateway = { gatewayId: 'a', exposes: new Set(['tool']), items: [] };
  expect(obstaclesTo('tool', [idle])).toEqual([{ code: 'tool_inactive', gatewayId: 'a' }]);
});
