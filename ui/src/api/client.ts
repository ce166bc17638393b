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

let csrf = '';
let sessionEnded = (): void => undefined;

/** Takes over what the session demands of requests that change something. */
export function useCsrf(token: string): void {
  csrf = token;
}

/** What is done when the service no longer knows who asks. */
export function onSessionEnd(then: () => void): void {
  sessionEnded = then;
}

const session: Middleware = {
  onRequest({ request }) {
    if (request.method !== 'GET' && csrf !== '') request.headers.set('x-csrf-token', csrf);
    return request;
  },
  onResponse({ response }) {
    if (response.status === 401) sessionEnded();
  },
};

export const api = createClient<paths>({ baseUrl: base });
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
  const problem = readProblem(error);
  return new ApiFault(
    status,
    problem.code ?? 'failed',
    problem.detail ?? problem.title ?? '',
    problem.errors,
  );
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
