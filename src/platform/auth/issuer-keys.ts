import {
  createRemoteJWKSet,
  customFetch,
  jwksCache,
  type ExportedJWKSCache,
  type JWTVerifyGetKey,
} from 'jose';

const second = 1000;
const largestKeySet = 1 << 20;

export const noKeys = '';

/** Public keys that tokens are verified with. */
export interface IssuerKeys {
  readonly find: JWTVerifyGetKey;
  /** Another value after the keys have changed; {@link noKeys} before there are any. */
  readonly edition: () => unknown;
}

/**
 * The keys that an issuer publishes, read again after five minutes. An unknown `kid` asks again at most once in 30 s; while
 * the issuer gives none, the keys last seen hold for an hour.
 */
export function publishedKeys(uri: URL): IssuerKeys {
  const cache: Partial<ExportedJWKSCache> = {};
  const find = createRemoteJWKSet(uri, {
    cooldownDuration: 30 * second,
    cacheMaxAge: 300 * second,
    timeoutDuration: 5 * second,
    [customFetch]: withLastAnswer(3600 * second),
    [jwksCache]: cache as Record<string, never>,
  });
  let seen: unknown;
  let edition = noKeys;
  return {
    find,
    edition: () => {
      if (seen !== cache.jwks) {
        seen = cache.jwks;
        edition = JSON.stringify(seen);
      }
      return edition;
    },
  };
}

type Fetch = (url: string, options: RequestInit) => Promise<Response>;

/** Fetches, and gives the last answer with keys again where none comes, up to `age` milliseconds later. */
function withLastAnswer(age: number): Fetch {
  let last: { readonly text: string; readonly at: number } | undefined;
  return async (url, options) => {
    try {
      const text = await textOf(await fetch(url, options));
      last = { text, at: Date.now() };
    } catch (error) {
      if (last === undefined || Date.now() - last.at > age) throw new KeysUnavailable(error);
    }
    return new Response(last.text);
  };
}

async function textOf(response: Response): Promise<string> {
  if (response.status !== 200) throw new Error(`status ${String(response.status)}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > largestKeySet) throw new Error(`more than ${String(largestKeySet)} bytes`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString();
  if (!holdsKeys(JSON.parse(text))) throw new Error('an answer without keys');
  return text;
}

/** Whether it is a set of keys (RFC 7517, 5), and not empty: else it is an error page, or a mistake. */
function holdsKeys(answer: unknown): boolean {
  const keys: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'keys') : undefined;
  return Array.isArray(keys) && keys.length > 0 && keys.every(isKey);
}

function isKey(item: unknown): boolean {
  return typeof item === 'object' && item !== null && typeof Reflect.get(item, 'kty') === 'string';
}

/** The issuer's keys can't be read and none are known: no token can be checked now. */
export class KeysUnavailable extends Error {
  constructor(cause: unknown) {
    super('The keys of the token issuer can’t be read at present.', { cause });
  }
}
