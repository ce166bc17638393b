import { BlockList, isIP } from 'node:net';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Fault } from '../../kernel/errors.js';
import { readAllowance } from '../network/outbound-rules.js';
import { textValidator } from '../validation/validator.js';
import { discoveryFaults, discoveryHostsOf, type DiscoveryHosts } from './discovery-hosts.js';
import { embeddingFaults, embeddingsOf, type EmbeddingSettings } from './embeddings.js';
import { environmentSchema, type Environment } from './settings.js';
import { signInFaults, signInOf, type SignIn } from './sign-in.js';

/** Tokens of an issuer that publishes its keys. */
export interface IssuerTokens {
  readonly kind: 'issuer';
  readonly jwksUri: URL;
  readonly issuer: string;
  readonly audience: readonly string[];
  readonly algorithms: readonly string[];
  readonly requireAtJwt: boolean;
}

/** Where tokens come from. `none`: the service can't serve, and `reason` says what to do. */
export type TokenSettings =
  IssuerTokens | { readonly kind: 'development' } | { readonly kind: 'none'; readonly reason: string };

/** The configuration of the service, checked. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Absolute. */
  readonly dataDirectory: string;
  readonly databaseUrl?: string;
  readonly databasePoolSize: number;
  /** File of the key that signs catalogs; without it a key is made in the data directory. */
  readonly signingKeyFile?: string;
  readonly secretsDirectory?: string;
  /** File of the key that seals what sessions keep; without it a key is made in the data directory. */
  readonly sessionKeyFile?: string;
  /** The provider that people sign in at. */
  readonly signIn?: SignIn;
  /** Seconds until a session ends that is not used, and until any ends. */
  readonly sessions: { readonly idle: number; readonly lifetime: number };
  readonly outboundAllow: readonly string[];
  /** Milliseconds. */
  readonly gatewayTimeout: number;
  readonly webhookAttempts: number;
  /** Address under which clients reach the service; without it the one that they used. */
  readonly publicUrl?: URL;
  /** Hosts whose public entries are answered without a token. */
  readonly discoveryHosts: DiscoveryHosts;
  /** Whether the catalog is relied on: then there is no embedded database, no sample data, and no development issuer. */
  readonly production: boolean;
  readonly logLevel: Exclude<Environment['LOG_LEVEL'], undefined>;
  /** Whether an empty embedded catalog is filled with sample data. */
  readonly sampleData: boolean;
  /** Requests a minute and caller. */
  readonly rateLimit?: number;
  /** Most reads at once that may take long. */
  readonly slowReads: number;
  /** Bytes of the indexes that searches keep in memory; 0: none. */
  readonly searchIndexBytes: number;
  /** Milliseconds. */
  readonly statementTimeout: number;
  readonly streams: { readonly inAll: number; readonly perCaller: number };
  /** Bytes. */
  readonly bodyLimit: number;
  /** Bytes. */
  readonly uploadLimit: number;
  readonly tokens: TokenSettings;
  readonly embeddings: EmbeddingSettings;
  /** Collector that spans are sent to. */
  readonly otlpEndpoint?: string;
}

/** Nest token of the {@link Config}. */
export const CONFIG = Symbol('Config');

/** The environment can't be used; the message names every fault, and no value that may be a secret. */
export class ConfigurationFault extends Error {
  constructor(readonly faults: readonly Fault[]) {
    const lines = faults.map(({ pointer, detail }) => `  ${pointer.slice(1)} ${detail}`);
    super(`The environment can't be used:\n${lines.join('\n')}`);
  }
}

const validate = textValidator(environmentSchema);

/** Reads and checks the environment: the only place that does. Empty values count as absent. */
export function readConfig(variables: NodeJS.ProcessEnv = process.env): Config {
  const known = Object.keys(environmentSchema.properties);
  const given = Object.entries(variables).filter(([name, value]) => known.includes(name) && value?.trim());
  const environment: Record<string, unknown> = Object.fromEntries(given);
  const faults = [...validate(environment)];
  faults.push(...issuerFaults(environment), ...outboundFaults(environment), ...embeddingFaults(environment));
  faults.push(...discoveryFaults(environment));
  faults.push(...slowReadFaults(environment), ...signInFaults(environment, isTrustworthy));
  if (faults.length > 0) throw new ConfigurationFault(faults);
  return configOf(environment as unknown as Environment);
}

/**
 * Throws ConfigurationFault where the service must not serve: no token could be checked, or a catalog that is relied on would
 * lie in the embedded database.
 */
export function requireServable({ tokens, production, databaseUrl }: Config): void {
  const faults: Fault[] = [];
  if (tokens.kind === 'none')
    faults.push({ pointer: '/AUTH_JWKS_URI', detail: `is missing. ${tokens.reason}` });
  if (production && databaseUrl === undefined) {
    faults.push({
      pointer: '/DATABASE_URL',
      detail:
        'is missing, and NODE_ENV is production: the embedded database does not outlive a power cut and serves one process. ' +
        'Name a PostgreSQL 15 or newer with pgvector.',
    });
  }
  if (faults.length > 0) throw new ConfigurationFault(faults);
}

/** Where the command line keeps what is the user's: contexts and their tokens. */
export function userDirectory(): string {
  const configured = process.env['XDG_CONFIG_HOME']?.trim();
  const base = configured && isAbsolute(configured) ? configured : join(homedir(), '.config');
  return join(base, 'portal-catalog');
}

/** Whether `npx` (`npm exec`) has started this process. */
export function isRunByNpx(): boolean {
  return process.env['npm_command'] === 'exec';
}

function configOf(environment: Environment): Config {
  const { DATABASE_URL, SIGNING_KEY_FILE, SECRETS_DIR, SESSION_KEY_FILE, RATE_LIMIT } = environment;
  const production = environment.NODE_ENV === 'production';
  return {
    host: environment.HOST,
    port: environment.PORT,
    dataDirectory: resolve(environment.DATA_DIR),
    ...(DATABASE_URL === undefined ? {} : { databaseUrl: DATABASE_URL }),
    databasePoolSize: environment.DATABASE_POOL_SIZE,
    ...(SIGNING_KEY_FILE === undefined ? {} : { signingKeyFile: resolve(SIGNING_KEY_FILE) }),
    ...(SECRETS_DIR === undefined ? {} : { secretsDirectory: resolve(SECRETS_DIR) }),
    ...(SESSION_KEY_FILE === undefined ? {} : { sessionKeyFile: resolve(SESSION_KEY_FILE) }),
    ...signInPart(environment),
    sessions: { idle: environment.SESSION_IDLE, lifetime: environment.SESSION_LIFETIME },
    outboundAllow: listOf(environment.OUTBOUND_ALLOW ?? ''),
    gatewayTimeout: environment.GATEWAY_TIMEOUT,
    webhookAttempts: environment.WEBHOOK_ATTEMPTS,
    ...(environment.PUBLIC_URL === undefined ? {} : { publicUrl: new URL(environment.PUBLIC_URL) }),
    discoveryHosts: discoveryHostsOf(environment.DISCOVERY_HOSTS ?? ''),
    production,
    logLevel: environment.LOG_LEVEL,
    sampleData: environment.SAMPLE_DATA === 'on' && DATABASE_URL === undefined && !production,
    ...(RATE_LIMIT === 'off' ? {} : { rateLimit: Number(RATE_LIMIT) }),
    slowReads: slowReadsOf(environment),
    searchIndexBytes: environment.SEARCH_INDEX_MB * 1024 * 1024,
    statementTimeout: environment.STATEMENT_TIMEOUT,
    streams: { inAll: environment.STREAMS, perCaller: environment.STREAMS_PER_CALLER },
    bodyLimit: environment.BODY_LIMIT,
    uploadLimit: environment.UPLOAD_LIMIT,
    tokens: tokensOf(environment),
    embeddings: embeddingsOf(environment),
    ...(environment.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined && {
      otlpEndpoint: environment.OTEL_EXPORTER_OTLP_ENDPOINT,
    }),
  };
}

function signInPart(environment: Environment): { readonly signIn?: SignIn } {
  const { AUTH_ISSUER: issuer, PUBLIC_URL: publicUrl } = environment;
  if (issuer === undefined || publicUrl === undefined) return {};
  const signIn = signInOf(environment, issuer, new URL(publicUrl));
  return signIn === undefined ? {} : { signIn };
}

/** The embedded database has one connection: a second slow read would only wait for it before everybody else. */
function slowReadsOf({ DATABASE_URL, DATABASE_POOL_SIZE, SLOW_READS }: Environment): number {
  if (DATABASE_URL === undefined) return 1;
  return SLOW_READS ?? Math.floor(DATABASE_POOL_SIZE / 2);
}

function slowReadFaults(environment: Readonly<Record<string, unknown>>): Fault[] {
  const { SLOW_READS: slow, DATABASE_POOL_SIZE: pool } = environment;
  if (slow === undefined || Number(slow) < Number(pool)) return [];
  return [
    { pointer: '/SLOW_READS', detail: 'must be less than DATABASE_POOL_SIZE: the rest is kept for others' },
  ];
}

function tokensOf(environment: Environment): TokenSettings {
  const { AUTH_JWKS_URI, AUTH_ISSUER, AUTH_AUDIENCE } = environment;
  if (AUTH_JWKS_URI !== undefined && AUTH_ISSUER !== undefined && AUTH_AUDIENCE !== undefined) {
    return {
      kind: 'issuer',
      jwksUri: new URL(AUTH_JWKS_URI),
      issuer: AUTH_ISSUER,
      audience: listOf(AUTH_AUDIENCE),
      algorithms: listOf(environment.AUTH_ALGORITHMS),
      requireAtJwt: environment.AUTH_REQUIRE_AT_JWT === 'true',
    };
  }
  const obstacle = developmentObstacle(environment);
  if (obstacle === undefined) return { kind: 'development' };
  return {
    kind: 'none',
    reason: `No token could be checked: set AUTH_JWKS_URI, AUTH_ISSUER and AUTH_AUDIENCE. (No development issuer: ${obstacle}.)`,
  };
}

/** Why the development issuer must stay off (docs/contract.md, section 2), if it must. */
function developmentObstacle(environment: Environment): string | undefined {
  if (environment.AUTH_DEV_ISSUER === 'off') return 'AUTH_DEV_ISSUER is off';
  if (environment.NODE_ENV === 'production') return 'NODE_ENV is production';
  if (!isLoopback(environment.HOST)) return `HOST ${environment.HOST} is not a loopback address`;
  if (environment.DATABASE_URL !== undefined && environment.AUTH_DEV_ISSUER !== 'on') {
    return 'DATABASE_URL is set and AUTH_DEV_ISSUER is not on; for development set that';
  }
  return undefined;
}

function issuerFaults(environment: Readonly<Record<string, unknown>>): Fault[] {
  const { AUTH_JWKS_URI, AUTH_ISSUER, AUTH_AUDIENCE, AUTH_DEV_ISSUER } = environment;
  if (AUTH_JWKS_URI === undefined) {
    const lonely = Object.entries({ AUTH_ISSUER, AUTH_AUDIENCE }).filter(([, value]) => value !== undefined);
    return lonely.map(([name]) => ({ pointer: `/${name}`, detail: 'has no meaning without AUTH_JWKS_URI' }));
  }
  const missing = Object.entries({ AUTH_ISSUER, AUTH_AUDIENCE }).filter(([, value]) => value === undefined);
  const faults = missing.map(([name]) => ({ pointer: `/${name}`, detail: 'is required with AUTH_JWKS_URI' }));
  if (!isTrustworthy(AUTH_JWKS_URI)) {
    faults.push({ pointer: '/AUTH_JWKS_URI', detail: 'must be an https address (http only on loopback)' });
  }
  if (AUTH_DEV_ISSUER === 'on') {
    faults.push({ pointer: '/AUTH_DEV_ISSUER', detail: 'can’t be on together with AUTH_JWKS_URI' });
  }
  return faults;
}

function outboundFaults({ OUTBOUND_ALLOW: allow }: Readonly<Record<string, unknown>>): Fault[] {
  const items = typeof allow === 'string' ? listOf(allow) : [];
  const wrong = items.filter((item) => readAllowance(item) === undefined);
  return wrong.map((item) => ({
    pointer: '/OUTBOUND_ALLOW',
    detail: `names ${JSON.stringify(item)}, which is neither a host nor a network (like 10.0.0.0/8)`,
  }));
}

/** Whether keys from the address can be trusted: over plain HTTP anybody on the way could swap them. */
function isTrustworthy(address: unknown): boolean {
  if (typeof address !== 'string' || !URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, '')));
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

export function isLoopback(host: string): boolean {
  const family = isIP(host);
  return host === 'localhost' || (family !== 0 && loopback.check(host, family === 6 ? 'ipv6' : 'ipv4'));
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
