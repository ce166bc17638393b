import { obstaclesTo, type FoundGateway } from './diagnostics.lookup.js';
import type { DriftItem } from '../gateways/drift/gateway-drifts.port.js';

const found = (
  gatewayId: string,
  finding: DriftItem['finding'],
  more: Partial<DriftItem> = {},
): FoundGateway => ({
  gatewayId,
  exposes: new Set(['tool']),
  items: [{ toolName: 'tool', toolId: 'tool', finding, ...more }],
});
const none: ReadonlySet<string> = new Set();
const failed: FoundGateway = { gatewayId: 'down', exposes: new Set(['tool']), failure: 'gateway_timeout' };

test('one gateway that lists the tool is enough', () => {
  expect(obstaclesTo('tool', [failed, found('a', 'in_sync')], none)).toEqual([]);
  expect(obstaclesTo('tool', [found('a', 'schema_changed', { grade: 'compatible' })], none)).toEqual([]);
  expect(obstaclesTo('tool', [found('a', 'description_changed')], none)).toEqual([]);
});

test('else every gateway says why not', () => {
  expect(obstaclesTo('tool', [failed, found('a', 'missing_from_gateway')], none)).toEqual([
    { code: 'gateway_timeout', gatewayId: 'down' },
    { code: 'missing_from_gateway', gatewayId: 'a' },
  ]);
  expect(obstaclesTo('tool', [found('a', 'policy_blocked')], none)).toEqual([
    { code: 'policy_blocked', gatewayId: 'a' },
  ]);
  expect(obstaclesTo('tool', [found('a', 'schema_changed', { grade: 'breaking' })], none)).toEqual([
    { code: 'schema_changed', gatewayId: 'a' },
  ]);
});

test('a tool that is on no gateway, or inactive there', () => {
  expect(obstaclesTo('tool', [], none)).toEqual([{ code: 'no_gateway' }]);
  expect(obstaclesTo('other', [found('a', 'in_sync')], none)).toEqual([{ code: 'not_exposed' }]);
  const idle: FoundGateway = { gatewayId: 'a', exposes: new Set(['tool']), items: [] };
  expect(obstaclesTo('tool', [idle], none)).toEqual([{ code: 'tool_inactive', gatewayId: 'a' }]);
});

test('what was not asked may have it', () => {
  const elsewhere = new Set(['tool']);
  const code = 'gateway_not_asked';
  expect(obstaclesTo('tool', [], elsewhere)).toEqual([{ code }]);
  expect(obstaclesTo('tool', [found('a', 'in_sync')], elsewhere)).toEqual([]);
  expect(obstaclesTo('tool', [failed], elsewhere)).toEqual([
    { code: 'gateway_timeout', gatewayId: 'down' },
    { code },
  ]);
});
