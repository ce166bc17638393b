import type { RouterTool } from '../gateways/shared.js';
import { Outbound } from '../platform/network/outbound.js';
import { SecretStore } from '../platform/network/secret-store.js';
import { OutgoingIdentity } from './outgoing-identity.js';
import { ToolCaller } from './tool-caller.js';

const outbound = new Outbound({ outboundAllow: [] });
const secrets = new SecretStore({});
const caller = new ToolCaller(outbound, new OutgoingIdentity('a host', outbound, secrets));

/** A tool at a place that no name leads to. */
const tool = (more: object, routes: object = {}) =>
  ({
    name: 'find',
    endpoint: '/find@get',
    path: '/find',
    method: 'get',
    apiType: 'openapi',
    targetHost: 'http://nowhere.invalid',
    inputSchema: { type: 'object' },
    toolMetadata: { routing: { parameters: routes }, lifecycle: { version: '1.0.0' } },
    ...more,
  }) as unknown as RouterTool;

const faultOf = async (described: RouterTool, args: object) => {
  const { fault } = await caller.call(
    described,
    { ...args },
    { caller: undefined, rule: { type: 'credential' } },
  );
  return fault;
};

describe('a call that fails before anything is sent', () => {
  const circle = { allOf: [{ $ref: '#/$defs/Group' }] };

  it.each<[string, RouterTool, object]>([
    ['a schema that refers to nothing', tool({ inputSchema: { $ref: '#/$defs/none' } }), {}],
    ['a schema without end', tool({ inputSchema: { ...circle, $defs: { Group: circle } } }), {}],
    ['a header that HTTP has not', tool({}, { h: { in: 'header', name: 'a b' } }), { h: 'c' }],
    ['a method that HTTP has not', tool({ method: 'a b' }), {}],
  ])('blames no server: %s', async (_name, described, args) => {
    const fault = await faultOf(described, args);
    expect(fault).toMatchObject({ code: 'not_sent', level: 'service' });
    expect(fault?.message).toMatch(/sent/);
  });

  it('still says of a place that can not be reached that it is the place', async () => {
    expect(await faultOf(tool({ targetHost: 'http://127.0.0.1:9' }), {})).toMatchObject({
      code: 'downstream_refused',
    });
  });

  it('refuses integers that were rounded before they came, wherever they stand', async () => {
    const refused = await faultOf(tool({}), { a: { b: [1, 2 ** 60] } });
    expect(refused).toMatchObject({ code: 'invalid_arguments' });
    expect(refused?.message).toMatch(/^\/a\/b\/1 is beyond .* give it as text where the API takes one$/);
    for (const carried of [Number.MAX_SAFE_INTEGER, 0.1, 1e30])
      expect(await faultOf(tool({}), { a: carried })).not.toMatchObject({ code: 'invalid_arguments' });
  });
});
