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
const given = (toolId: string, ...versions: string[]) => ({
  ...{ toolId, toolName: toolId },
  versions: new Set(versions),
});
const failed: FoundGateway = { gatewayId: 'down', exposes: new Set(['tool']), failure: 'gateway_timeout' };

test('one gateway that lists the tool is enough', () => {
  expect(obstaclesTo(given('tool'), [failed, found('a', 'in_sync')], none)).toEqual([]);
  expect(obstaclesTo(given('tool'), [found('a', 'schema_changed', { grade: 'compatible' })], none)).toEqual(
    [],
  );
  expect(obstaclesTo(given('tool'), [found('a', 'description_changed')], none)).toEqual([]);
});

test('else every gateway says why not', () => {
  expect(obstaclesTo(given('tool'), [failed, found('a', 'missing_from_gateway')], none)).toEqual([
    { code: 'gateway_timeout', gatewayId: 'down' },
    { code: 'missing_from_gateway', gatewayId: 'a' },
  ]);
  expect(obstaclesTo(given('tool'), [found('a', 'policy_blocked')], none)).toEqual([
    { code: 'policy_blocked', gatewayId: 'a' },
  ]);
  expect(obstaclesTo(given('tool'), [found('a', 'schema_changed', { grade: 'breaking' })], none)).toEqual([
    { code: 'schema_changed', gatewayId: 'a' },
  ]);
});

test('a version that is not served concerns who is given it alone', () => {
  const unserved = found('a', 'version_not_served', { grade: 'breaking', version: '1.0.0' });
  expect(obstaclesTo(given('tool', '2.0.0'), [unserved], none)).toEqual([]);
  expect(obstaclesTo(given('tool', '1.0.0'), [unserved], none)).toEqual([
    { code: 'version_not_served', gatewayId: 'a' },
  ]);
});

test('a tool that is on no gateway, or inactive there', () => {
  expect(obstaclesTo(given('tool'), [], none)).toEqual([{ code: 'no_gateway' }]);
  expect(obstaclesTo(given('other'), [found('a', 'in_sync')], none)).toEqual([{ code: 'not_exposed' }]);
  const idle: FoundGateway = { gatewayId: 'a', exposes: new Set(['tool']), items: [] };
  expect(obstaclesTo(given('tool'), [idle], none)).toEqual([{ code: 'tool_inactive', gatewayId: 'a' }]);
});

test('what was not asked may have it', () => {
  const elsewhere = new Set(['tool']);
  const code = 'gateway_not_asked';
  expect(obstaclesTo(given('tool'), [], elsewhere)).toEqual([{ code }]);
  expect(obstaclesTo(given('tool'), [found('a', 'in_sync')], elsewhere)).toEqual([]);
  expect(obstaclesTo(given('tool'), [failed], elsewhere)).toEqual([
    { code: 'gateway_timeout', gatewayId: 'down' },
    { code },
  ]);
});
