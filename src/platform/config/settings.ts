import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { embeddingSettings } from './embeddings.js';
import { signInSettings } from './sign-in.js';

/** Asymmetric only: a public key must never be able to sign (RFC 8725, 3.1 and 3.2). */
export const signatureAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

const algorithmList = `^(${signatureAlgorithms.join('|')})( *, *(${signatureAlgorithms.join('|')}))*$`;

/** Every environment variable that the service reads: its shape, its default, and what it means. */
export const settings = {
  PORT: {
    type: 'integer',
    minimum: 0,
    maximum: 65535,
    default: 3000,
    description: 'Port to listen on; 0 picks a free one.',
  },
  HOST: { type: 'string', minLength: 1, default: '127.0.0.1', description: 'Address to listen on.' },
  PUBLIC_URL: {
    type: 'string',
    format: 'uri',
    pattern: '^https?://',
    description:
      'Address under which clients reach the service, where it differs from what they send as Host; /mcp tells it to them.',
  },
  DISCOVERY_HOSTS: {
    type: 'string',
    description:
      'Where what is public of a host is answered without a token: address=id of the host, comma-separated, such as https://catalog.example.com=0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01. Requests are told apart by their Host header; the host’s own setting discovery must be on, too.',
  },
  DATA_DIR: {
    type: 'string',
    minLength: 1,
    default: '.data',
    description: 'Directory of the embedded database and of the development issuer’s key.',
  },
  DATABASE_URL: {
    type: 'string',
    pattern: '^postgres(ql)?://',
    description:
      'A PostgreSQL 15 or newer with pgvector. Without it the embedded database in DATA_DIR is used, but never with NODE_ENV=production.',
  },
  DATABASE_POOL_SIZE: {
    type: 'integer',
    minimum: 2,
    maximum: 500,
    default: 16,
    description: 'Most connections to the PostgreSQL of DATABASE_URL.',
  },
  SIGNING_KEY_FILE: {
    type: 'string',
    minLength: 1,
    description:
      'Private JWK that signs catalogs, with kid and alg; or a set, of which the first signs and all are published. Without it each instance signs with a key that it makes in DATA_DIR: keep that directory, and set this where there are several instances.',
  },
  SECRETS_DIR: {
    type: 'string',
    minLength: 1,
    description: 'Directory with the secrets for outbound connections, <hostId>/<name>.json.',
  },
  OUTBOUND_ALLOW: {
    type: 'string',
    description:
      'Hosts and networks, comma-separated, that outbound connections may reach beside public addresses.',
  },
  GATEWAY_TIMEOUT: {
    type: 'integer',
    minimum: 100,
    maximum: 120_000,
    default: 10_000,
    description: 'Most milliseconds that a gateway may take to list its tools.',
  },
  ...embeddingSettings,
  WEBHOOK_ATTEMPTS: {
    type: 'integer',
    minimum: 1,
    maximum: 30,
    default: 12,
    description: 'Attempts after which a delivery to a webhook is given up: 12 take about two hours.',
  },
  LOG_LEVEL: {
    type: 'string',
    enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
    description: 'Least level that is logged. Successful reads are logged at debug.',
  },
  SAMPLE_DATA: {
    type: 'string',
    enum: ['on', 'off'],
    default: 'on',
    description: 'Fills an empty embedded catalog with sample data; never with NODE_ENV=production.',
  },
  RATE_LIMIT: {
    type: 'string',
    pattern: '^([1-9][0-9]{0,8}|off)$',
    default: '60000',
    description:
      'Requests a minute and caller on each instance, or off. The default, a thousand a second, is room for thousands of agents behind one token.',
  },
  SLOW_READS: {
    type: 'integer',
    minimum: 1,
    maximum: 499,
    description:
      'Most graph queries, searches and reads of the past at once on each instance, those of evaluations among them: one host has three quarters of them, one caller half. Less than DATABASE_POOL_SIZE, the rest is kept for catalogs, lists and writes; half of it where not set, and 1 on the embedded database.',
  },
  SEARCH_INDEX_MB: {
    type: 'integer',
    minimum: 0,
    maximum: 100_000,
    default: 256,
    description:
      'Most megabytes of the indexes that searches of whole hosts keep in memory on each instance: about two for each thousand tools. The host that was not searched for the longest goes first. What has none is searched in the database, and of more than 5,000 documents a part is ranked that the words of the prompt choose; 0 keeps none.',
  },
  STATEMENT_TIMEOUT: {
    type: 'integer',
    minimum: 1_000,
    maximum: 3_600_000,
    default: 120_000,
    description:
      'Most milliseconds of a statement on the PostgreSQL of DATABASE_URL. Graph queries and searches have 5 and 10 seconds, where that is less.',
  },
  STREAMS: {
    type: 'integer',
    minimum: 1,
    maximum: 1_000_000,
    default: 5_000,
    description:
      'Most streams (of events, of changes of catalogs, and subscriptions of /mcp) that are open at once on each instance; each takes a file descriptor.',
  },
  STREAMS_PER_CALLER: {
    type: 'integer',
    minimum: 1,
    maximum: 1_000_000,
    default: 200,
    description: 'Most of these streams of one caller.',
  },
  BODY_LIMIT: {
    type: 'integer',
    minimum: 1024,
    maximum: 33554432,
    default: 1048576,
    description: 'Most bytes of a request body.',
  },
  UPLOAD_LIMIT: {
    type: 'integer',
    minimum: 1024,
    maximum: 1073741824,
    default: 33554432,
    description: 'Most bytes of an imported document.',
  },
  AUTH_JWKS_URI: {
    type: 'string',
    format: 'uri',
    description: 'Where the issuer publishes its keys (JWKS). Makes AUTH_ISSUER and AUTH_AUDIENCE required.',
  },
  AUTH_ISSUER: { type: 'string', minLength: 1, description: 'Claim iss that tokens must carry.' },
  AUTH_AUDIENCE: {
    type: 'string',
    minLength: 1,
    description: 'Claim aud that tokens must carry; several comma-separated, any of them.',
  },
  AUTH_ALGORITHMS: {
    type: 'string',
    pattern: algorithmList,
    default: 'RS256,PS256,ES256,EdDSA',
    description: `Signature algorithms that are accepted, comma-separated, of ${signatureAlgorithms.join(', ')}.`,
  },
  AUTH_REQUIRE_AT_JWT: {
    type: 'string',
    enum: ['true', 'false'],
    default: 'false',
    description: 'Whether the header typ must be at+jwt (RFC 9068).',
  },
  AUTH_DEV_ISSUER: {
    type: 'string',
    enum: ['on', 'off'],
    description:
      'on: the development issuer also with DATABASE_URL; off: never. Only ever with a loopback HOST, without AUTH_JWKS_URI and outside NODE_ENV=production.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    type: 'string',
    format: 'uri',
    pattern: '^https?://',
    description:
      'Collector of OpenTelemetry that spans are sent to, by OTLP over HTTP in JSON; none are made without it. The other OTEL_… variables of its specification hold, too.',
  },
  ...signInSettings,
  SESSION_IDLE: {
    type: 'integer',
    minimum: 60,
    maximum: 2_592_000,
    default: 3_600,
    description: 'Seconds after which a session in the browser ends that is not used.',
  },
  SESSION_LIFETIME: {
    type: 'integer',
    minimum: 60,
    maximum: 2_592_000,
    default: 43_200,
    description: 'Seconds after which a session in the browser ends, used or not.',
  },
  SESSION_KEY_FILE: {
    type: 'string',
    minLength: 1,
    description:
      'Secret JWK (kty oct, kid, k of 32 bytes) that seals the tokens of sessions in the database; or a set, of which the first seals and all open. Without it each instance seals with a key that it makes in DATA_DIR: set this where there are several instances.',
  },
  NODE_ENV: {
    type: 'string',
    description:
      'production: DATABASE_URL is required, and there is no development issuer and no sample data.',
  },
} as const satisfies Readonly<Record<string, JSONSchema>>;

export const environmentSchema = { type: 'object', properties: settings } as const satisfies JSONSchema;
export type Environment = FromSchema<typeof environmentSchema>;

export interface SettingRow {
  readonly name: string;
  readonly default: string;
  readonly meaning: string;
}

/** The settings as `--help` and docs/settings.md show them. */
export function settingRows(): SettingRow[] {
  return Object.entries(settings).map(([name, setting]) => ({
    name,
    default: 'default' in setting ? String(setting.default) : '',
    meaning: setting.description,
  }));
}
