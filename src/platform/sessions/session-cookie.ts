/** The cookie of a session: an id by chance, and nothing that means anything without the database. */
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Config } from '../config/config.js';
import { Problem } from '../http/problem.js';

/** Shape of an id: 32 bytes by chance. */
const idShape = /^[A-Za-z0-9_-]{43}$/;

/**
 * Whether cookies are for https alone. They are where the catalog is reached by https; http is for this machine, where a browser may
 * refuse to keep a cookie that is `Secure`, or whose name says so.
 */
export function isSecure({ publicUrl, tokens }: Pick<Config, 'publicUrl' | 'tokens'>): boolean {
  return tokens.kind === 'issuer' && publicUrl?.protocol === 'https:';
}

/** A cookie by its purpose. `__Host-`: no other host, also none of the same domain, can have set it (RFC 6265bis, 4.1.3). */
export class Cookie {
  readonly name: string;

  constructor(
    purpose: 'session' | 'sign-in',
    private readonly secure: boolean,
  ) {
    this.name = `${secure ? '__Host-' : ''}portal-${purpose}`;
  }

  /**
   * Every value that the header gives under this exact name. A browser sends one; more have been planted. Names in another case or
   * behind other blanks, and values in quotes, are not ours: who reads them generously can be lied to.
   */
  valuesIn(header: string | undefined): readonly string[] {
    const start = `${this.name}=`;
    return (header ?? '')
      .split(';')
      .map((pair) => pair.replace(/^[ \t]+|[ \t]+$/g, ''))
      .filter((pair) => pair.startsWith(start))
      .map((pair) => pair.slice(start.length));
  }

  /** `Set-Cookie` with a value. Lax: it comes along where a link of another site leads here, and with nothing else from there. */
  set(value: string, seconds: number): string {
    const more = this.secure ? '; Secure' : '';
    return `${this.name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${String(Math.floor(seconds))}${more}`;
  }

  clear(): string {
    return this.set('', 0);
  }
}

export function newId(): string {
  return randomBytes(32).toString('base64url');
}

/** What the database knows of an id. */
export function hashOf(id: string): string {
  return hash('sha256', id, 'base64url');
}

/** The id in the header, if there is one. Throws Problem 401 `session_ambiguous` where there are several. */
export function idIn(cookie: Cookie, header: string | undefined): string | undefined {
  const [value, ...more] = cookie.valuesIn(header);
  if (more.length > 0) {
    throw new Problem(
      401,
      'session_ambiguous',
      `The browser sent ${String(more.length + 1)} cookies named ${cookie.name}, of which one is not from here. Remove the cookies of this ` +
        'site in the browser, and sign in again.',
    );
  }
  return value;
}

/** Whether a value may be an id at all: any other is not asked for. */
export function isId(value: string): boolean {
  return idShape.test(value);
}

/** What unsafe requests send in `x-csrf-token`. A page of another site can't read it, and can't send such a header. */
export function csrfOf(id: string): string {
  return createHmac('sha256', id).update('csrf').digest('base64url');
}

export function isCsrfOf(id: string, given: unknown): boolean {
  if (typeof given !== 'string') return false;
  const [expected, sent] = [csrfOf(id), given].map((text) => Buffer.from(hash('sha256', text, 'hex')));
  return expected !== undefined && sent !== undefined && timingSafeEqual(expected, sent);
}
