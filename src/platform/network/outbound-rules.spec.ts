import { OutboundRules, readAllowance } from './outbound-rules.js';

const admits = (allow: readonly string[], host: string, address = host): boolean =>
  new OutboundRules(allow).admits(host, address);

test.each(['8.8.8.8', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001::200e'])(
  '%s is public',
  (address) => {
    expect(admits([], 'example.com', address)).toBe(true);
  },
);

test.each([
  ...['127.0.0.1', '127.8.9.10', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['169.254.169.254', '100.64.0.1', '192.0.2.1', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
  ...['::1', '::', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd12::1', 'ff02::1', '2001:db8::1', '2001::1'],
  // IPv4 in disguise: mapped, translated (NAT64), 6to4.
  ...['::ffff:127.0.0.1', '::ffff:a00:1', '64:ff9b::7f00:1', '2002:7f00:1::1', '::127.0.0.1'],
  ...['not an address', ''],
])('%s is not', (address) => {
  expect(admits([], 'example.com', address)).toBe(false);
});

test('networks and hosts may be allowed, and nothing beside them', () => {
  expect(admits(['10.0.0.0/8'], 'gateway.internal', '10.9.9.9')).toBe(true);
  expect(admits(['10.0.0.0/8'], 'gateway.internal', '11.0.0.1')).toBe(true);
  expect(admits(['10.0.0.0/8'], 'gateway.internal', '192.168.0.1')).toBe(false);
  expect(admits(['Gateway.Internal.'], 'gateway.internal', '10.9.9.9')).toBe(true);
  expect(admits(['gateway.internal'], 'other.internal', '10.9.9.9')).toBe(false);
  expect(admits(['gateway.internal'], 'evil.gateway.internal', '10.9.9.9')).toBe(false);
  expect(admits(['127.0.0.1'], '127.0.0.1')).toBe(true);
  expect(admits(['127.0.0.1'], '127.0.0.2')).toBe(false);
  expect(admits(['localhost'], '127.0.0.1')).toBe(true);
  expect(admits(['[::1]'], '::1')).toBe(true);
});

test('what is neither host nor network is told apart', () => {
  expect(readAllowance('gateway-1.internal')).toEqual({ kind: 'host', name: 'gateway-1.internal' });
  for (const odd of [
    '10.0.0.0/33',
    '10.0.0.0/x',
    '10.0.0',
    'a/8',
    'http://a',
    'a b',
    '*',
    '',
    '1.2.3.4/8/9',
  ]) {
    expect([odd, readAllowance(odd)]).toEqual([odd, undefined]);
  }
});
