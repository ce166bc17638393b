import type { JSONSchema } from 'json-schema-to-ts';
import { scopes } from '../auth/caller.js';
import { dateTime, objectOf, uuid } from '../http/schemas.js';
import { personas } from './personas.js';

const claim = { type: ['string', 'array'], items: { type: 'string' } } as const;
const text = { type: 'string' } as const;
const MAX_CLAIM = 255;

const claims = {
  ...{ title: 'SessionClaims', type: 'object', required: ['host', 'env'] },
  properties: {
    ...{ sub: text, client_id: text, host: claim, sid: claim, env: claim, scope: text },
    ...{ agent_def_id: uuid, maxSensitivityTier: text, commandTools: { type: 'boolean' } },
  },
  description:
    'Of the token behind the session, under the same names: what may be chosen from. `host` may be a list.',
} as const satisfies JSONSchema;

const signedInMembers = objectOf({
  signedIn: { const: true },
  subject: { type: 'string', description: 'Claim sub: under it the log has what is written.' },
  name: { type: 'string', description: 'Name of the person, as the provider says it; else the subject.' },
  hosts: { type: 'array', items: uuid, description: 'Hosts that may be chosen.' },
  claims,
  host: { ...uuid, description: 'Host that is worked on.' },
  sid: {
    type: ['string', 'null'],
    description: 'Service that is worked on; null for all that the claims cover.',
  },
  env: {
    type: ['string', 'null'],
    description: 'Environment that is worked on; null for all that the claims cover.',
  },
  csrf: { type: 'string', description: 'Sent as x-csrf-token with whatever is not a GET.' },
  expiresAt: { ...dateTime, description: 'When the session ends if nothing is done.' },
});

const signedOutMembers = objectOf({
  signedIn: { const: false },
  providers: {
    type: 'array',
    items: objectOf({
      id: text,
      name: text,
      start: {
        type: 'string',
        description: 'Path to lead the browser to. Takes `returnTo`, a path of this service.',
      },
    }),
  },
  developmentSignIn: { type: 'boolean', description: 'Whether POST /session/development signs in.' },
});

const signedIn = { title: 'SignedIn', ...signedInMembers } as const;
const signedOut = { title: 'SignedOut', ...signedOutMembers } as const;

export const sessionState = { title: 'Session', oneOf: [signedIn, signedOut] } as const satisfies JSONSchema;

export const choiceBody = {
  ...{ type: 'object', additionalProperties: false, required: ['hostId'] },
  properties: {
    hostId: uuid,
    serviceId: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: MAX_CLAIM,
      description: 'Null, or left out: all of the claims.',
    },
    envTag: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: MAX_CLAIM,
      description: 'Null, or left out: all of the claims.',
    },
  },
} as const satisfies JSONSchema;

/** Scopes of the catalog as a claim has them, with blanks between; and those of APIs (RFC 6749, 3.3), which gateways ask for. */
const scope = `(${[...scopes, 'catalog:all-services'].join('|')}|(?!catalog:)[!#-[\\]-~]{1,128})`;
const scopePattern = `^${scope}( ${scope})*$`;

export const developmentBody = {
  ...{ type: 'object', additionalProperties: false },
  properties: {
    as: {
      type: 'string',
      enum: personas,
      description:
        'Who to be, each a subject of its own, so that one person can try what takes several: the operator may do everything; the ' +
        'reviewer reads and approves; the author reads and writes; the agent has what a token of the agent `agent` has. Without it ' +
        'a developer, who may do everything.',
    },
    agent: {
      ...objectOf({
        agentDefId: uuid,
        serviceId: { type: 'string', minLength: 1, maxLength: MAX_CLAIM },
        envTag: { type: 'string', minLength: 1, maxLength: MAX_CLAIM },
        name: { type: 'string', minLength: 1, maxLength: MAX_CLAIM },
      }),
      additionalProperties: false,
      description:
        'With `as: agent`, and only then: which agent, in the service and environment that it belongs to.',
    },
    scope: {
      type: 'string',
      pattern: scopePattern,
      maxLength: 2000,
      description:
        'Scopes of the session; without it those of whom `as` names, else all there are, but that of agents.',
    },
    hostId: { ...uuid, description: 'Host to work on; without it that of the sample.' },
  },
} as const satisfies JSONSchema;

export const signedOutAnswer = objectOf(
  {
    signedIn: { const: false },
    endSession: {
      type: 'string',
      description:
        'Address to lead the browser to where the person shall be signed out of the provider, too.',
    },
  },
  ['endSession'],
);

/**
 * A path of this service: it begins with one slash, plain and no more than one, and holds no backslash and no control character, which
 * browsers read as slashes, or as nothing.
 */
export const returnPath = {
  type: 'string',
  maxLength: 2000,
  pattern: '^/(?!/|%2[fF]|%5[cC])[^\\\\\\u0000-\\u0020\\u007f]*$',
} as const satisfies JSONSchema;

export const stateExample = {
  ...{ signedIn: true, subject: 'olga', name: 'Olga Marsh', hosts: ['0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01'] },
  claims: {
    ...{
      sub: 'olga',
      host: '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01',
      sid: 'tidewell.accounts-1.0.0',
      env: ['dev', 'prod'],
    },
    scope: 'catalog:read catalog:write',
  },
  ...{ host: '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01', sid: 'tidewell.accounts-1.0.0', env: null },
  ...{ csrf: 'o1aYk3nJq0b0mXzFhVtPZ0cP7r1sQn5u5wQk1b2c3d4', expiresAt: '2026-07-01T10:30:00.000Z' },
};
