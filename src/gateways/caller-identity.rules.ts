/** How a gateway passes on to an API who calls (decision 74). Pure. */
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { type Fault, Invalid } from '../kernel/errors.js';
import { secretNamePattern, text } from '../platform/http/schemas.js';

/** Tokens go over TLS, except on this machine. */
const safeStart = '^(https://|http://(localhost|127[.]0[.]0[.]1|\\[::1\\])[:/]).+$';
const audience = { type: 'string', minLength: 1, maxLength: 500 } as const;

export const callerIdentity = {
  type: 'object',
  additionalProperties: false,
  required: ['type'],
  properties: {
    type: {
      type: 'string',
      enum: ['credential', 'exchange', 'forward'],
      description:
        'credential: calls go out with the credential of the exposure (`runtime.auth`) and say nothing of the caller; exchange: ' +
        'the caller’s token is exchanged for one for the API (RFC 8693); forward: it is passed on as it is.',
    },
    tokenEndpoint: {
      ...text(2000),
      pattern: safeStart,
      description:
        'Of an exchange: the token endpoint of the issuer, by https (by http on this machine alone).',
    },
    clientId: { ...text(200), description: 'Of an exchange: who the gateway is to the issuer.' },
    clientSecret: {
      type: 'string',
      pattern: secretNamePattern,
      description:
        'Of an exchange: name of the secret of the client, whose origins name the token endpoint’s.',
    },
    audience: { ...audience, description: 'Of an exchange: whom the new token is for.' },
    scope: {
      ...text(1000),
      description: 'Of an exchange, where it is to be narrower: scopes of the new token.',
    },
    audiences: {
      type: 'array',
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      items: audience,
      description: 'Of forwarding: every audience (`aud`) of the token is one of these.',
    },
    origins: {
      type: 'array',
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      items: { ...text(300), pattern: safeStart.replace('[:/]).+$', '(:|$)).*$') },
      description: 'Of forwarding: the only places that it goes to, like https://accounts.example.com.',
    },
  },
} as const satisfies JSONSchema;

export type CallerIdentity = FromSchema<typeof callerIdentity>;

/** The members of each rule beside its type. */
const members: Readonly<
  Record<CallerIdentity['type'], readonly (readonly [keyof CallerIdentity, 'needed' | 'may'])[]>
> = {
  credential: [],
  exchange: [
    ['tokenEndpoint', 'needed'],
    ['clientId', 'needed'],
    ['clientSecret', 'needed'],
    ['audience', 'needed'],
    ['scope', 'may'],
  ],
  forward: [
    ['audiences', 'needed'],
    ['origins', 'needed'],
  ],
};

/** Refuses a rule that lacks a member, has one of another rule, or names an origin that is none: Invalid `invalid_body`. */
export function refuseUnfitIdentity(identity: CallerIdentity): void {
  const { type, origins = [] } = identity;
  const known = new Map<string, string>([['type', 'needed'], ...members[type]]);
  const faults: Fault[] = [
    ...members[type]
      .filter(([name, need]) => need === 'needed' && identity[name] === undefined)
      .map(([name]) => ({ pointer: at(name), detail: `is missing: ${type} needs it` })),
    ...Object.keys(identity)
      .filter((name) => !known.has(name))
      .map((name) => ({ pointer: at(name), detail: `does not belong to ${type}` })),
    ...origins.flatMap((origin, index) =>
      URL.canParse(origin) && new URL(origin).origin === origin
        ? []
        : [
            {
              pointer: `${at('origins')}/${String(index)}`,
              detail: 'must be an origin alone, like https://accounts.example.com',
            },
          ],
    ),
  ];
  if (faults.length > 0) throw new Invalid('invalid_body', 'The body can’t be accepted.', faults);
}

const at = (name: string): string => `/callerIdentity/${name}`;
