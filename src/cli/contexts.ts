import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { userDirectory } from '../platform/config/config.js';
import { CliFault, exitCodes } from './output.js';

/** A service, and who is signed in there. */
export interface Context {
  readonly url: string;
  readonly host?: string;
  readonly issuer?: string;
  readonly clientId?: string;
  readonly token?: string;
}

export interface Contexts {
  /** Name of the one in use. */
  readonly current?: string;
  readonly contexts: Readonly<Record<string, Context>>;
}

/** Where they are kept: readable by the user alone, since tokens are in it. */
export function contextsFile(): string {
  return join(userDirectory(), 'contexts.json');
}

export function readContexts(): Contexts {
  const file = contextsFile();
  try {
    const text = ownText(file);
    return text === undefined ? { contexts: {} } : parsed(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliFault(
      exitCodes.usage,
      `${file} can't be used: ${reason}. Mend it, or remove it and log in anew.`,
    );
  }
}

/**
 * The text of a file that nobody but the user can have written or read: whoever else wrote it would choose the service that secrets
 * and records are sent to.
 */
function ownText(file: string): string | undefined {
  const opened = openedAsItIs(file);
  if (opened === undefined) return undefined;
  try {
    const found = fstatSync(opened);
    if (!found.isFile()) throw new Error('it is no plain file');
    const user = process.getuid?.();
    if (user !== undefined && found.uid !== user) throw new Error('it belongs to another user');
    if (user !== undefined && (found.mode & 0o077) !== 0)
      throw new Error(
        'others may read or write it (chmod 600 keeps it to you; a token that others could read is to be replaced)',
      );
    return readFileSync(opened, 'utf8');
  } finally {
    closeSync(opened);
  }
}

/** Opens no link, and does not wait for a pipe. Systems without these flags go without. */
function openedAsItIs(file: string): number | undefined {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;
  try {
    return openSync(file, (O_RDONLY ?? 0) | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP') throw new Error('it is a symbolic link', { cause: error });
    throw error;
  }
}

/** Says nothing of the text, as the parser would: tokens are in it. */
function parsed(text: string): Contexts {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw new Error('it is no JSON');
  }
  const { current, contexts } = (read ?? {}) as { readonly current?: unknown; readonly contexts?: unknown };
  const isNamed = current === undefined || typeof current === 'string';
  if (
    !isNamed ||
    typeof contexts !== 'object' ||
    contexts === null ||
    !Object.values(contexts).every(isContext)
  )
    throw new Error('it does not hold contexts, each with the address of a service');
  return { ...(current !== undefined && { current }), contexts: contexts as Contexts['contexts'] };
}

function isContext(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { url, token, host } = value as Readonly<Record<string, unknown>>;
  const isText = (each: unknown): boolean => each === undefined || typeof each === 'string';
  return typeof url === 'string' && isText(token) && isText(host);
}

/** Writes them whole, or not at all, into a file that did not exist before: no link is followed, and nobody else may read it. */
export function writeContexts(contexts: Contexts): void {
  const file = contextsFile();
  mkdirSync(userDirectory(), { recursive: true, mode: 0o700 });
  const written = `${file}.${randomUUID()}`;
  writeFileSync(written, `${JSON.stringify(contexts, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(written, file);
}

/** The context in use, with its name. */
export function currentContext(): (Context & { readonly name: string }) | undefined {
  const { current, contexts } = readContexts();
  if (current === undefined || !Object.hasOwn(contexts, current)) return undefined;
  const found = contexts[current];
  return found && { ...found, name: current };
}

/** Keeps a context, and uses it from now on. */
export function keepContext(name: string, context: Context): void {
  const { contexts } = readContexts();
  writeContexts({ current: name, contexts: { ...contexts, [name]: context } });
}
