import type { Of } from '../../api/client.ts';
import type { Tier } from '../../parts/labels.tsx';

type Caller = Of<'Gateway'>['callerIdentity'];

/** What can be written of a gateway, each as a text to be typed. */
export interface GatewayWords {
  readonly url: string;
  readonly maxSensitivityTier: string;
  /** Name of the secret with which the gateway is asked; empty: none. */
  readonly secret: string;
  readonly protocolVersion: string;
  /** Seconds; empty: never. */
  readonly interval: string;
  readonly caller: string;
  readonly tokenEndpoint: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly audience: string;
  readonly scope: string;
  readonly audiences: string;
  readonly origins: string;
}

export const noWords: GatewayWords = {
  ...{ url: '', maxSensitivityTier: 'internal', secret: '', protocolVersion: 'auto', interval: '' },
  ...{ caller: 'credential', tokenEndpoint: '', clientId: '', clientSecret: '', audience: '', scope: '' },
  ...{ audiences: '', origins: '' },
};

/** A gateway as it is edited: its words beside what says which version they are of. */
export type EditedGateway = GatewayWords & Pick<Of<'Gateway'>, 'aggregateVersion' | 'updateUser'>;

export function editedOf(gateway: Of<'Gateway'>): EditedGateway {
  const { url, maxSensitivityTier, protocolVersion, auth, checkIntervalSeconds } = gateway;
  const { aggregateVersion, updateUser, callerIdentity: caller } = gateway;
  const { type, tokenEndpoint = '', clientId = '', clientSecret = '', audience = '', scope = '' } = caller;
  return {
    ...{ aggregateVersion, updateUser, url, maxSensitivityTier, protocolVersion },
    ...{ secret: auth?.secret ?? '', interval: checkIntervalSeconds?.toString() ?? '' },
    ...{ caller: type, tokenEndpoint, clientId, clientSecret, audience, scope },
    ...{ audiences: linesOf(caller.audiences), origins: linesOf(caller.origins) },
  };
}

export function wordsOf({ aggregateVersion: _, updateUser: __, ...words }: EditedGateway): GatewayWords {
  return words;
}

/** What is sent of it, beside service and environment. */
export function bodyOf(words: GatewayWords) {
  const { url, maxSensitivityTier, protocolVersion, secret, interval } = words;
  return {
    url: url.trim(),
    maxSensitivityTier: maxSensitivityTier as Tier,
    protocolVersion: protocolVersion as 'auto',
    auth: secret.trim() === '' ? null : { type: 'bearer' as const, secret: secret.trim() },
    checkIntervalSeconds: interval === '' ? null : Number(interval),
    callerIdentity: callerOf(words),
  };
}

function callerOf(words: GatewayWords): Caller {
  const { tokenEndpoint, clientId, clientSecret, audience, scope } = words;
  if (words.caller === 'exchange')
    return {
      ...{ type: 'exchange', tokenEndpoint, clientId, clientSecret, audience },
      ...(scope.trim() === '' ? {} : { scope }),
    };
  if (words.caller === 'forward')
    return { type: 'forward', audiences: listOf(words.audiences), origins: listOf(words.origins) };
  return { type: 'credential' };
}

const linesOf = (items: readonly string[] = []): string => items.join(', ');

function listOf(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
