import { decodeJwt } from 'jose';
import type { CallerIdentity, RouterCredential } from '../gateways/shared.js';
import { type Outbound, OutboundFault, type OutboundLimits } from '../platform/network/outbound.js';
import type { SecretStore } from '../platform/network/secret-store.js';
import { CallFault } from './call-result.js';
import { redacting } from './redacted-answers.js';
import { exchangeBody, exchangedToken } from './token-exchange.js';

/** Who calls: the name, and the token by which it is known. */
export interface CallingParty {
  readonly user: string;
  readonly token: string;
}

export type Headers = Readonly<Record<string, string>>;

/** Says to the API that there is no session behind the call, only what the token says. */
const noSession: Headers = { 'portal-catalog-session': 'none' };

/** A token is a small thing. */
const limits: OutboundLimits = { timeMs: 10_000, bytes: 64 * 1024 };

/** Finds by which authorization a call goes out: by the rule of its gateway, and by no other. */
export class OutgoingIdentity {
  constructor(
    private readonly hostId: string,
    private readonly outbound: Outbound,
    private readonly secrets: SecretStore,
    private readonly timeMs: number = limits.timeMs,
  ) {}

  /**
   * Throws CallFault and SecretUnavailable.
   *
   * @param auth the gateway's own credential, where the exposure names one
   */
  async headersFor(
    auth: RouterCredential | undefined,
    { origin }: URL,
    { rule, caller }: { readonly rule: CallerIdentity; readonly caller: CallingParty | undefined },
  ): Promise<Headers> {
    const token = await this.tokenFor(auth, origin, rule, caller);
    return { ...noSession, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  }

  private async tokenFor(
    auth: RouterCredential | undefined,
    origin: string,
    rule: CallerIdentity,
    caller: CallingParty | undefined,
  ): Promise<string | undefined> {
    if (rule.type === 'credential') return auth && this.secrets.valueFor(this.hostId, auth.secret, origin);
    if (caller === undefined)
      throw new CallFault('no_caller', 'This gateway says to the API who calls: send a token.');
    return rule.type === 'forward' ? forwarded(rule, caller, origin) : this.exchanged(rule, caller);
  }

  private async exchanged(rule: CallerIdentity, { token }: CallingParty): Promise<string> {
    const { tokenEndpoint = '', clientId = '', clientSecret = '' } = rule;
    const url = new URL(tokenEndpoint);
    const secret = await this.secrets.valueFor(this.hostId, clientSecret, url.origin);
    const client = [clientId, secret].map(encodeURIComponent).join(':');
    try {
      return await this.outbound.with(url, { ...limits, timeMs: this.timeMs }, async (session) => {
        const answer = await redacting(session.fetch, [secret])(url, {
          method: 'POST',
          headers: {
            accept: 'application/json',
            'content-type': 'application/x-www-form-urlencoded',
            authorization: `Basic ${Buffer.from(client).toString('base64')}`,
          },
          body: exchangeBody(rule, token),
        });
        return exchangedToken(rule, { status: answer.status, text: await answer.text() });
      });
    } catch (error) {
      if (!(error instanceof OutboundFault)) throw error;
      throw new CallFault('exchange_unreachable', `The token can’t be exchanged: ${error.message}`);
    }
  }
}

/** The caller's token, where all that it is for, and where it goes, is named. Throws CallFault `forward_refused`. */
function forwarded(
  { audiences = [], origins = [] }: CallerIdentity,
  { token }: CallingParty,
  origin: string,
): string {
  const { aud = [] } = decodeJwt(token);
  const unnamed = [aud].flat().filter((each) => !audiences.includes(each));
  if (!origins.includes(origin))
    throw new CallFault(
      'forward_refused',
      `This gateway forwards no token to ${origin}: its origins do not name it.`,
    );
  if (unnamed.length > 0 || aud.length === 0)
    throw new CallFault(
      'forward_refused',
      `This gateway forwards only tokens for ${audiences.join(', ')}; this one is for ${unnamed.join(', ').slice(0, 200) || 'nobody in particular'}.`,
    );
  return token;
}
