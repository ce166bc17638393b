/** What whoever runs the service should know of its settings at every start. */
import { settings } from './settings.js';
import type { Config } from './config.js';

/** What whoever runs the service should know of its settings, and of variables that may be meant for one. */
export function startNotes(config: Config, variables: NodeJS.ProcessEnv = process.env): readonly string[] {
  return [...weakened(config), ...misspelt(variables)];
}

/** The settings that make the service weaker than it could be, each with what follows. */
export function weakened(config: Config): readonly string[] {
  const { tokens, bodyLimit, uploadLimit, outboundAllow } = config;
  const { BODY_LIMIT, UPLOAD_LIMIT } = settings;
  const notes: readonly (readonly [boolean, string])[] = [
    [
      tokens.kind === 'development',
      'The development issuer is on: whoever can read DATA_DIR can mint a token for everything.',
    ],
    [
      tokens.kind === 'issuer' && !tokens.requireAtJwt,
      'AUTH_REQUIRE_AT_JWT is false: a token without typ at+jwt passes, made for whatever purpose.',
    ],
    [config.rateLimit === undefined, 'RATE_LIMIT is off: a caller may send as many requests as it can.'],
    [
      outboundAllow.length > 0,
      `OUTBOUND_ALLOW lets outbound connections reach ${outboundAllow.join(', ')} beside public addresses.`,
    ],
    [
      bodyLimit > BODY_LIMIT.default,
      `BODY_LIMIT is ${String(bodyLimit)}: bodies may be larger than the default of ${String(BODY_LIMIT.default)} bytes.`,
    ],
    [
      uploadLimit > UPLOAD_LIMIT.default,
      `UPLOAD_LIMIT is ${String(uploadLimit)}: documents may be larger than the default of ${String(UPLOAD_LIMIT.default)} bytes.`,
    ],
    [config.logLevel === 'silent', 'LOG_LEVEL is silent: nothing is logged, not even what fails.'],
    [
      config.databaseUrl === undefined,
      'The embedded database is for development: fsync is off, so a power cut may cost what was acknowledged.',
    ],
  ];
  return notes.filter(([applies]) => applies).map(([, note]) => note);
}

/** What commands that talk to a running service read. */
const clientVariables = ['PORTAL_URL', 'PORTAL_TOKEN'];

/** Variables that nothing reads and whose names are near to those of settings: `RATE_LIMT`. */
export function misspelt(variables: NodeJS.ProcessEnv = process.env): readonly string[] {
  const known = [...Object.keys(settings), ...clientVariables];
  return Object.keys(variables).flatMap((name) => {
    if (known.includes(name)) return [];
    const meant = known.find((each) => isNear(name, each));
    return meant === undefined ? [] : [`${name} is no setting, and nothing reads it: is ${meant} meant?`];
  });
}

/**
 * Whether two names differ by one letter, by two that changed places, or in large and small letters, dashes and underscores:
 * more, and settings of other programs would be taken for ours.
 */
function isNear(given: string, name: string): boolean {
  const plain = given.toUpperCase().replaceAll('-', '_');
  if (plain === name || plain.replaceAll('_', '') === name.replaceAll('_', '')) return true;
  // PORT, HOST: too short for a guess.
  if (name.length < 6) return false;
  let start = 0;
  while (start < name.length && plain[start] === name[start]) start += 1;
  const [rest, wanted] = [plain.slice(start), name.slice(start)];
  const swapped = (rest[1] ?? '') + (rest[0] ?? '') + rest.slice(2);
  return (
    rest.slice(1) === wanted.slice(1) ||
    rest.slice(1) === wanted ||
    rest === wanted.slice(1) ||
    swapped === wanted
  );
}
