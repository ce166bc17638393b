import createClient, { type Middleware } from 'openapi-fetch';
import type { components, paths } from '../../generated/api.ts';

/** A record of the API by the name that its document gives it. */
export type Of<Name extends keyof components['schemas']> = components['schemas'][Name];

/** Where the service is: the page's own base, which holds the path prefix if there is one. Without a slash at its end. */
export const base = new URL('.', document.baseURI).href.replace(/\/$/, '');

/** An answer that is no success, or none at all (status 0). */
export class ApiFault extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    readonly faults: readonly { readonly pointer: string; readonly detail: string }[] = [],
  ) {
    super(detail);
  }
}

let current: Of<'SignedIn'> | undefined;
let lookAgain = (): Promise<Of<'Session'> | undefined> => Promise.resolve(undefined);
let over = '';

/** From now on requests are of this session. */
export function workIn(session: Of<'SignedIn'>): void {
  current = session;
}

/** How it is found out who is signed in, when the service no longer knows who asks; and what is said of what was not done then. */
export function onSessionEnd(look: typeof lookAgain, said: string): void {
  lookAgain = look;
  over = said;
}

const session: Middleware = {
  onRequest({ request }) {
    if (request.method !== 'GET' && current !== undefined && !request.headers.has('x-csrf-token'))
      request.headers.set('x-csrf-token', current.csrf);
    return request;
  },
  onResponse({ response }) {
    if (response.status === 401) void lookAgain();
  },
};

/** What another window has signed in meanwhile goes on here, if it is the same person at the same host: it is sent once more. */
async function sent(request: Request): Promise<Response> {
  if (request.method === 'GET') return fetch(request);
  const again = request.clone();
  const answer = await fetch(request);
  if (answer.status !== 403 || readProblem(await answer.clone().text()).code !== 'csrf_token') return answer;
  const found = await lookAgain();
  if (found?.signedIn !== true || !isSameWork(found, current)) return answer;
  again.headers.set('x-csrf-token', found.csrf);
  return fetch(again);
}

/** Whether a session is of the same person, at the same host. */
export function isSameWork(found: Of<'SignedIn'>, than: Of<'SignedIn'> | undefined): boolean {
  return found.subject === than?.subject && found.host === than.host;
}

export const api = createClient<paths>({ baseUrl: base, fetch: sent });
api.use(session);

/** The header by which a write is refused where somebody else has written meanwhile. */
export interface IfMatch {
  readonly 'If-Match': string;
}

export function ifMatch(aggregateVersion: number): IfMatch {
  return { 'If-Match': `"${String(aggregateVersion)}"` };
}

interface Answered<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** What a call answers. Throws ApiFault where it fails, also where the network does or the body is no JSON. */
export async function given<Data>(call: Promise<Answered<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await call.catch((reason: unknown) => {
    throw new ApiFault(0, 'unreachable', reason instanceof Error ? reason.message : String(reason));
  });
  if (response.ok) return data as NonNullable<Data>;
  throw faultOf(response.status, error);
}

function faultOf(status: number, error: unknown): ApiFault {
  const { code = 'failed', title = '', detail = title, errors } = readProblem(error);
  const isOver = current !== undefined && ['session_ended', 'token_missing', 'csrf_token'].includes(code);
  return new ApiFault(status, code, isOver ? over : detail, errors);
}

function readProblem(error: unknown): Partial<Of<'Problem'>> {
  if (typeof error === 'object' && error !== null) return error;
  try {
    const value: unknown = JSON.parse(String(error));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
