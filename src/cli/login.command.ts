import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { decodeJwt } from 'jose';
import {
  allowInsecureRequests,
  clientCredentialsGrant,
  type Configuration,
  discovery,
  initiateDeviceAuthorization,
  pollDeviceAuthorizationGrant,
} from 'openid-client';
import { isLoopback } from '../platform/config/config.js';
import { defaultUrl } from './catalog-client.js';
import { currentContext, keepContext } from './contexts.js';
import { CliFault, exampleHelp, exitCodes, parsedAnswer } from './output.js';

interface LoginOptions {
  readonly url?: string;
  readonly issuer?: string;
  readonly clientId: string;
  readonly clientSecretFile?: string;
  readonly scope: string;
  readonly audience?: string;
  readonly host?: string;
  readonly name: string;
}

const help = `
The token is kept in a file that only you can read, and later commands send it to this service and to no other. Without a
secret the issuer shows a code, with which you sign in with a browser on any device; with one the client itself is signed in.
${exampleHelp(
  'login --url https://catalog.example.com --client-id portal-cli',
  'login --issuer https://login.example.com --client-id nightly --client-secret-file /run/secrets/nightly',
)}`;

/** Signs in with the issuer of a service: `login`. */
export function loginCommand(): Command {
  return new Command('login')
    .description('sign in with the issuer of a service, and keep the token')
    .requiredOption('--client-id <id>', 'this program, as the issuer knows it')
    .option('--url <address>', 'address of the service (default: that of the context in use)')
    .option('--issuer <url>', 'issuer of tokens (default: the first that the service names)')
    .option('--client-secret-file <path>', 'file with the secret of the client: sign in as the client itself')
    .option('--scope <scopes>', 'what to ask for, in one text', 'catalog:read catalog:write')
    .option('--audience <name>', 'whom the token is for, where the issuer wants to know')
    .option('--host <hostId>', 'host to work on (default: the token’s)')
    .option('--name <context>', 'name of the context to keep it under', 'default')
    .addHelpText('after', help)
    .action(async (options: LoginOptions) => {
      const url = options.url ?? currentContext()?.url ?? defaultUrl;
      checkedPlace('service', url);
      const issuer = checkedPlace('issuer', options.issuer ?? (await issuerOf(url)));
      const secret = await secretOf(options.clientSecretFile);
      const token = await asked(issuer, () => signIn(issuer, secret, options));
      const { clientId, host, name } = options;
      keepContext(name, { url, issuer: issuer.href, clientId, token, ...(host !== undefined && { host }) });
      process.stdout.write(`Signed in${subjectOf(token)} at ${url}. The context ${name} is in use.\n`);
    });
}

function subjectOf(token: string): string {
  try {
    const { sub } = decodeJwt(token);
    return sub === undefined ? '' : ` as ${printable(sub)}`;
  } catch {
    throw new CliFault(
      exitCodes.refused,
      'The issuer gave a token that is no JWT: the catalog takes no other.',
    );
  }
}

/** For an answer of the service. */
const ANSWER_MS = 30_000;

/** For a person to confirm a code, whatever longer time the issuer gives. */
const MAX_CONFIRM_SECONDS = 1800;

/** The issuer that the service names (RFC 9728). */
async function issuerOf(url: string): Promise<string> {
  const place = `${url.replace(/\/+$/, '')}/.well-known/oauth-protected-resource`;
  // A redirection would let another place name the issuer, which the secret of a client goes to.
  const request: RequestInit = { redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS) };
  const named = await fetch(place, request).then(
    async (answer) => (answer.ok ? parsedAnswer(await answer.text()) : {}),
    () => ({}),
  );
  const { authorization_servers: servers } = named as { readonly authorization_servers?: unknown };
  const [first] = Array.isArray(servers) ? (servers as readonly unknown[]) : [];
  if (typeof first === 'string') return first;
  throw new CliFault(
    exitCodes.usage,
    `The service at ${url} names no issuer of tokens: give --issuer <url>.`,
  );
}

/** A secret, a token, and the name of who gives it never go over a wire in the clear, but on this machine. */
function checkedPlace(what: string, text: string): URL {
  const place = URL.canParse(text) ? new URL(text) : undefined;
  if (place?.protocol === 'https:' || (place?.protocol === 'http:' && isLocal(place))) return place;
  throw new CliFault(
    exitCodes.usage,
    `The ${what} ${printable(text)} has no https address, and is not on this machine.`,
  );
}

function isLocal({ hostname }: URL): boolean {
  return isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
}

async function secretOf(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliFault(exitCodes.usage, `--client-secret-file ${file} can't be read: ${reason}`);
  });
  if (text.trim() === '') throw new CliFault(exitCodes.usage, `--client-secret-file ${file} is empty.`);
  return text.trim();
}

async function signIn(
  issuer: URL,
  secret: string | undefined,
  { clientId, scope, audience }: LoginOptions,
): Promise<string> {
  // Deprecated so that it is noticed: checkedPlace has let http through on this machine alone.
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- http is for a loopback issuer
  const execute = issuer.protocol === 'http:' ? [allowInsecureRequests] : [];
  const config = await metadata(issuer, [clientId, secret], execute);
  const { token_endpoint: tokens, device_authorization_endpoint: devices } = config.serverMetadata();
  for (const each of [tokens, devices]) if (each !== undefined) checkedPlace('issuer’s endpoint', each);
  const parameters = { scope, ...(audience !== undefined && { audience }) };
  if (secret !== undefined) return (await clientCredentialsGrant(config, parameters)).access_token;
  const device = await initiateDeviceAuthorization(config, parameters);
  const place = device.verification_uri_complete ?? device.verification_uri;
  process.stderr.write(`Open ${printable(place)} and confirm the code ${printable(device.user_code)}\n`);
  const signal = AbortSignal.timeout(Math.min(device.expires_in, MAX_CONFIRM_SECONDS) * 1000);
  return (await pollDeviceAuthorizationGrant(config, device, undefined, { signal })).access_token;
}

/** As an OpenID provider, else as an authorization server (RFC 8414). */
async function metadata(
  issuer: URL,
  [clientId, secret]: readonly [string, string | undefined],
  execute: ((config: Configuration) => void)[],
): Promise<Configuration> {
  try {
    return await discovery(issuer, clientId, secret, undefined, { execute });
  } catch {
    return discovery(issuer, clientId, secret, undefined, { execute, algorithm: 'oauth2' });
  }
}

/** Texts of an issuer do not steer the terminal. */
function printable(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '?');
}

async function asked(issuer: URL, work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof CliFault) throw error;
    const { error: code, error_description: about } = error as {
      error?: unknown;
      error_description?: unknown;
    };
    const said = [code, about].filter((each) => typeof each === 'string').join(': ');
    const detail = said === '' ? error.message : said;
    throw new CliFault(
      exitCodes.refused,
      `${issuer.href} gave no token: ${detail.replaceAll(/[^\x20-\x7e]/g, '?')}`,
    );
  }
}
