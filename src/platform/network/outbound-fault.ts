/** Why an outbound connection came to nothing. */
export type OutboundFaultKind =
  /** The guard does not let it go there. */
  | 'refused'
  /** No connection: no such host, nobody listens, no trust. */
  | 'unreachable'
  | 'timeout'
  | 'redirected'
  | 'too_large'
  /** The answer breaks HTTP, or breaks off. */
  | 'broken';

/** A failed outbound connection. The message names the place, never what was sent. */
export class OutboundFault extends Error {
  constructor(
    readonly kind: OutboundFaultKind,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

const kinds: readonly (readonly [RegExp, OutboundFaultKind])[] = [
  [/TIMEOUT|TIMEDOUT/, 'timeout'],
  [
    /^E(CONNREFUSED|NOTFOUND|AI_|HOSTUNREACH|NETUNREACH|ADDRNOTAVAIL|ACCES|PERM|PROTO)|CERT|SSL|TLS/,
    'unreachable',
  ],
];

/** What a failed `fetch` was about, whatever it is wrapped in. */
export function outboundFault(error: unknown, place: string): OutboundFault {
  const chain = causesOf(error);
  const own = chain.find((link) => link instanceof OutboundFault);
  if (own !== undefined) return own;
  if (chain.some((link) => /^(Timeout|Abort)Error$/.test(memberOf(link, 'name')))) {
    return new OutboundFault('timeout', `${place} did not answer in time.`, error);
  }
  const code = chain.map((link) => memberOf(link, 'code')).findLast((each) => each !== '') ?? 'no code';
  const kind = kinds.find(([pattern]) => pattern.test(code))?.[1] ?? 'broken';
  const what = {
    timeout: 'did not answer in time',
    unreachable: 'can’t be reached',
    broken: 'gave an answer that is no valid HTTP, or broke it off',
  }[kind as 'timeout' | 'unreachable' | 'broken'];
  return new OutboundFault(kind, `${place} ${what} (${code}).`, error);
}

/** The error, its cause, and so on; of several at once (happy eyeballs) the first. */
function causesOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let link = error; link !== undefined && link !== null && chain.length < 10;) {
    chain.push(link);
    link = link instanceof AggregateError ? (link.errors[0] as unknown) : Reflect.get(Object(link), 'cause');
  }
  return chain;
}

function memberOf(link: unknown, name: string): string {
  const value: unknown = Reflect.get(Object(link), name);
  return typeof value === 'string' ? value : '';
}
