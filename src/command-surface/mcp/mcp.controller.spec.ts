import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../../platform/config/config.js';
import { refuseForeign, resourceMetadata } from './mcp.controller.js';

type Settings = Pick<Config, 'host' | 'tokens' | 'publicUrl'>;
const tokens = { kind: 'issuer', issuer: 'https://login.test/' } as Config['tokens'];
const local: Settings = { host: '127.0.0.1', tokens };
const published: Settings = { host: '0.0.0.0', tokens, publicUrl: new URL('https://catalog.test/base/') };

it('lets pages and names of others not in', () => {
  const refused = (headers: IncomingHttpHeaders, settings = local): string | undefined => {
    try {
      refuseForeign(headers, settings);
      return undefined;
    } catch (error) {
      return (error as { readonly code: string }).code;
    }
  };
  expect(refused({ host: 'localhost:8080' })).toBeUndefined();
  expect(refused({ host: '[::1]:8080', origin: 'http://[::1]:3000' })).toBeUndefined();
  expect(refused({ host: 'rebound.test:8080' })).toBe('host_not_allowed');
  expect(refused({})).toBe('host_not_allowed');
  for (const host of ['a:b@127.0.0.1:8080', '@localhost', 'localhost/x', 'localhost?x', 'localhost#x'])
    expect(refused({ host })).toBe('host_not_allowed');
  expect(refused({ host: 'localhost:8080', origin: 'https://evil.test' })).toBe('origin_not_allowed');
  expect(refused({ host: 'localhost:8080', origin: 'null' })).toBe('origin_not_allowed');
  const behind = { host: 'inner:8080', origin: 'https://catalog.test' };
  expect(refused(behind, published)).toBeUndefined();
});

it('describes the resource at its public address', () => {
  const asked = { headers: { host: 'inner:8080' }, protocol: 'http' };
  expect(resourceMetadata(asked, published)).toMatchObject({
    resource: 'https://catalog.test/base/mcp',
    authorization_servers: ['https://login.test/'],
  });
  expect(resourceMetadata(asked, local)).toMatchObject({ resource: 'http://inner:8080/mcp' });
});
