import { discoveryFaults, discoveryHostsOf } from './discovery-hosts.js';

const one = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01';
const two = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e02';
const faultsOf = (text: string) => discoveryFaults({ DISCOVERY_HOSTS: text }).map(({ detail }) => detail);

it('reads which host is answered at which address', () => {
  const text = ` https://Catalog.example.com=${one} , http://localhost:3000/=${two},`;
  expect(faultsOf(text)).toEqual([]);
  expect([...discoveryHostsOf(text)]).toEqual([
    ['catalog.example.com', { hostId: one, origin: 'https://catalog.example.com' }],
    ['localhost:3000', { hostId: two, origin: 'http://localhost:3000' }],
  ]);
  expect(discoveryFaults({})).toEqual([]);
});

it.each([
  'catalog.example.com',
  `catalog.example.com=${one}`,
  `ftp://catalog.example.com=${one}`,
  `https://catalog.example.com/path=${one}`,
  `https://user:pass@catalog.example.com=${one}`,
  `https://catalog.example.com?a=${one}`,
  'https://catalog.example.com=host',
])('refuses %s', (text) => {
  expect(faultsOf(text)).toEqual([expect.stringContaining('which is not like https://')]);
});

it('refuses an address that would be of two hosts', () => {
  expect(
    faultsOf(`https://a.example=${one},http://a.example:443=${two},https://a.example:443=${two}`),
  ).toEqual([expect.stringContaining('twice')]);
});
