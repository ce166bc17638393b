/** Which host is answered at which address to those who bring no token (docs/decisions/0082-the-host-of-a-public-path.md). */
import type { Fault } from '../../kernel/errors.js';
import { isUuid } from '../validation/validator.js';

/** A host, and the address under which what is public of it is found. */
export interface DiscoveryHost {
  readonly hostId: string;
  /** `https://catalog.example.com` */
  readonly origin: string;
}

/** The hosts by the `Host` header of requests, in lower case. */
export type DiscoveryHosts = ReadonlyMap<string, DiscoveryHost>;

/** Reads `https://catalog.example.com=<hostId>, …`, which {@link discoveryFaults} has passed. */
export function discoveryHostsOf(text: string): DiscoveryHosts {
  return new Map(
    itemsOf(text).flatMap((item) => {
      const host = readItem(item);
      return host === undefined ? [] : [[new URL(host.origin).host, host] as const];
    }),
  );
}

export function discoveryFaults({ DISCOVERY_HOSTS: given }: Readonly<Record<string, unknown>>): Fault[] {
  const items = typeof given === 'string' ? itemsOf(given) : [];
  const known = new Set<string>();
  return items.flatMap((item): Fault[] => {
    const host = readItem(item);
    const name = JSON.stringify(item.slice(0, 200));
    const fault =
      host === undefined
        ? `names ${name}, which is not like https://catalog.example.com=<id of the host>`
        : known.has(new URL(host.origin).host)
          ? `names the address of ${name} twice`
          : undefined;
    if (host !== undefined) known.add(new URL(host.origin).host);
    return fault === undefined ? [] : [{ pointer: '/DISCOVERY_HOSTS', detail: fault }];
  });
}

function itemsOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function readItem(item: string): DiscoveryHost | undefined {
  const at = item.lastIndexOf('=');
  const address = item.slice(0, Math.max(at, 0));
  const hostId = item.slice(at + 1);
  const url = URL.parse(address);
  // The name becomes part of the names of what is found there, which hold letters, digits, dots and dashes.
  const isNamed = url !== null && /^https?:$/.test(url.protocol) && /^[a-z0-9.-]+$/.test(url.hostname);
  return isNamed && `${url.origin}/` === url.href && isUuid(hostId)
    ? { hostId, origin: url.origin }
    : undefined;
}
