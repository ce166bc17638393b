import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { Fault } from '../../kernel/errors.js';

/** Settings of the provider that people sign in at with a browser. */
export const signInSettings = {
  SIGN_IN_CLIENT_ID: {
    type: 'string',
    minLength: 1,
    description:
      'Client id of this service at AUTH_ISSUER, where people at a browser sign in then (OpenID Connect, code flow). Its redirect URI is PUBLIC_URL with /session/callback, its back-channel logout URI the same with /session/back-channel-logout.',
  },
  SIGN_IN_CLIENT_SECRET: {
    type: 'string',
    minLength: 1,
    description: 'Secret of this client, sent by client_secret_basic. Without it the client is a public one.',
  },
  SIGN_IN_NAME: {
    type: 'string',
    minLength: 1,
    maxLength: 100,
    default: 'Single sign-on',
    description: 'What the button is called that people sign in by.',
  },
  SIGN_IN_SCOPE: {
    type: 'string',
    pattern: '^(\\S+ )*openid( \\S+)*$',
    default: 'openid profile',
    description:
      'Scopes that are asked for; openid is one of them. Add those of the catalog where the provider grants what is asked for, and offline_access where it gives no refresh token without.',
  },
  SIGN_IN_RESOURCE: {
    type: 'string',
    format: 'uri',
    description:
      'Resource that the access token shall be for (RFC 8707), where the provider wants to be told.',
  },
  SIGN_IN_PARAMETERS: {
    type: 'string',
    minLength: 1,
    description:
      'Further parameters of the authorization request, written like a query: audience=portal-catalog&prompt=consent.',
  },
} as const satisfies Readonly<Record<string, JSONSchema>>;

type Environment = FromSchema<{ type: 'object'; properties: typeof signInSettings }>;

export interface SignIn {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly name: string;
  readonly scope: string;
  readonly resource?: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly redirectUri: string;
  /** Address of the first page. */
  readonly home: string;
}

export function signInOf(environment: Environment, issuer: string, publicUrl: URL): SignIn | undefined {
  const { SIGN_IN_CLIENT_ID: clientId, SIGN_IN_CLIENT_SECRET: clientSecret } = environment;
  if (clientId === undefined) return undefined;
  const { SIGN_IN_NAME: name, SIGN_IN_SCOPE: scope, SIGN_IN_RESOURCE: resource } = environment;
  const base = publicUrl.href.replace(/\/$/, '');
  return {
    ...{ issuer: new URL(issuer), clientId, name, scope },
    ...(clientSecret !== undefined && { clientSecret }),
    ...(resource !== undefined && { resource }),
    parameters: Object.fromEntries(new URLSearchParams(environment.SIGN_IN_PARAMETERS ?? '')),
    redirectUri: `${base}/session/callback`,
    home: `${base}/`,
  };
}

/** Parameters that bind an answer to the browser, and say where it goes. */
const ownParameters = [
  ...['client_id', 'redirect_uri', 'response_type', 'response_mode', 'scope', 'state', 'nonce', 'resource'],
  ...['code_challenge', 'code_challenge_method', 'request', 'request_uri'],
];

/** @param isTrustworthy whether an address is https, or of this machine */
export function signInFaults(
  environment: Readonly<Record<string, unknown>>,
  isTrustworthy: (address: unknown) => boolean,
): Fault[] {
  if (environment['SIGN_IN_CLIENT_ID'] === undefined) {
    const lonely = ['SIGN_IN_CLIENT_SECRET', 'SIGN_IN_RESOURCE', 'SIGN_IN_PARAMETERS'];
    return lonely
      .filter((name) => environment[name] !== undefined)
      .map((name) => ({ pointer: `/${name}`, detail: 'has no meaning without SIGN_IN_CLIENT_ID' }));
  }
  const faults: Fault[] = [];
  const add = (name: string, detail: string): void => void faults.push({ pointer: `/${name}`, detail });
  if (environment['AUTH_JWKS_URI'] === undefined) add('AUTH_JWKS_URI', 'is required with SIGN_IN_CLIENT_ID');
  for (const name of ['AUTH_ISSUER', 'PUBLIC_URL']) {
    if (!isTrustworthy(environment[name]))
      add(name, 'must be an https address (http only on loopback) with SIGN_IN_CLIENT_ID');
  }
  const parameters = environment['SIGN_IN_PARAMETERS'];
  const given = new URLSearchParams(typeof parameters === 'string' ? parameters : '');
  for (const name of new Set(given.keys())) {
    if (ownParameters.includes(name))
      add('SIGN_IN_PARAMETERS', `must not hold ${name}, which the service sets`);
  }
  return faults;
}
