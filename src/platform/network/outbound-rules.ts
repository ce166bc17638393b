import { BlockList, isIP } from 'node:net';

/** One item of OUTBOUND_ALLOW: a host by name, or a network (one address is a network of one). */
export type Allowance =
  | { readonly kind: 'host'; readonly name: string }
  | {
      readonly kind: 'network';
      readonly address: string;
      readonly prefix: number;
      readonly family: 'ipv4' | 'ipv6';
    };

const hostName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_]([a-z0-9_-]{0,62}))*\.?$/i;

/** Undefined where the text is neither a host name nor an address nor a network like 10.0.0.0/8. */
export function readAllowance(text: string): Allowance | undefined {
  const [first = '', bits, ...rest] = text.replace(/^\[(.*)\]$/, '$1').split('/');
  const family = familyOf(first);
  if (family === undefined) {
    const isName = bits === undefined && hostName.test(first) && !/^[\d.]+$/.test(first);
    return isName ? { kind: 'host', name: normal(first) } : undefined;
  }
  const widest = family === 'ipv4' ? 32 : 128;
  const prefix = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) : NaN;
  return rest.length === 0 && prefix <= widest
    ? { kind: 'network', address: first, prefix, family }
    : undefined;
}

/** Networks of IPv4 that are not the public internet (IANA special-purpose registry, RFC 6890 and its followers). */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** Of IPv6 only 2000::/3 is public, without these: some of them carry an IPv4 address inside, which nobody checked. */
const global6 = '2000::/3';
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** Which addresses the service may connect to (docs/contract.md, section 9): public ones, and what OUTBOUND_ALLOW names. */
export class OutboundRules {
  private readonly names = new Set<string>();
  private readonly allowed = new BlockList();
  private readonly special = listOf(special4.concat(special6));
  private readonly global = listOf([global6]);

  /** Items of OUTBOUND_ALLOW; what is none is passed over, the configuration has refused it. */
  constructor(allow: readonly string[]) {
    for (const item of allow.flatMap((text) => readAllowance(text) ?? [])) {
      if (item.kind === 'network') this.allowed.addSubnet(item.address, item.prefix, item.family);
      else this.names.add(item.name);
    }
    // RFC 6761: localhost is the loopback network by another name.
    if (this.names.has('localhost')) {
      this.allowed.addSubnet('127.0.0.0', 8, 'ipv4');
      this.allowed.addAddress('::1', 'ipv6');
    }
  }

  /** Whether a connection to this host may go to this address, which the host's name was resolved to. */
  admits(host: string, address: string): boolean {
    const family = familyOf(address);
    if (family === undefined) return false;
    return (
      this.names.has(normal(host)) || this.allowed.check(address, family) || this.isPublic(address, family)
    );
  }

  private isPublic(address: string, family: 'ipv4' | 'ipv6'): boolean {
    if (this.special.check(address, family)) return false;
    return family === 'ipv4' || this.global.check(address, 'ipv6');
  }
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const item of networks.flatMap((text) => readAllowance(text) ?? [])) {
    if (item.kind === 'network') list.addSubnet(item.address, item.prefix, item.family);
  }
  return list;
}

function familyOf(text: string): 'ipv4' | 'ipv6' | undefined {
  const family = isIP(text);
  // A zone (fe80::1%eth0) names an interface of this machine.
  if (family === 0 || text.includes('%')) return undefined;
  return family === 4 ? 'ipv4' : 'ipv6';
}

const normal = (host: string): string => host.toLowerCase().replace(/\.$/, '');
