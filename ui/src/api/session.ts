import { queryOptions, useMutation, useQueryClient, type Query } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { api, given, isSameWork, type Of } from './client.ts';

/** Who is signed in, and where: answered by the service itself, which keeps the tokens. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => given(api.GET('/session')),
  staleTime: 60_000,
});

/** The session that the screens work in; the last one while it has ended, so that what was typed into them stays. */
export const SessionContext = createContext<Of<'SignedIn'> | undefined>(undefined);

/** Has the screens work in another session. */
export const TakeSession = createContext<(session: Of<'SignedIn'>) => void>(() => undefined);

/** Takes over a session for the whole page, and asks all that it shows anew. What it does not show may not be seen under it. */
export function useTakeOver(): (session: Of<'Session'>) => Promise<void> {
  const take = use(TakeSession);
  const queries = useQueryClient();
  return async (session) => {
    queries.setQueryData(sessionQuery.queryKey, session);
    if (session.signedIn) take(session);
    queries.removeQueries({ type: 'inactive', predicate: isOfCatalog });
    await queries.invalidateQueries({ predicate: isOfCatalog });
  };
}

/** Whether the page may go on in a session as in the one before: one that began anew works on all that there is at first. */
export function goesOn(found: Of<'SignedIn'>, before: Of<'SignedIn'>): boolean {
  const isAsNarrow = found.sid === before.sid && found.env === before.env;
  return isSameWork(found, before) && (found.csrf === before.csrf || isAsNarrow);
}

/** Whether a question is of what the catalog has, and not of who asks. */
export function isOfCatalog({ queryKey: [first] }: Pick<Query, 'queryKey'>): boolean {
  return first !== 'session';
}

/** The session of a screen, which is shown to those who are signed in alone. */
export function useSession(): Of<'SignedIn'> {
  const session = use(SessionContext);
  if (session === undefined) throw new Error('Nobody is signed in.');
  return session;
}

/** The host that the session works in: in every path of the API. */
export function useHost(): string {
  return useSession().host;
}

/** Whom the development issuer lets one be, beside the agents of the catalog. */
export const personas = ['operator', 'reviewer', 'author'] as const;

/** Signs in by the development issuer. All is asked anew then, once the page has the token of the new session. */
export function useDevelopmentSignIn({
  quiet = false,
  done,
}: {
  readonly quiet?: boolean;
  readonly done?: () => void;
}) {
  const queries = useQueryClient();
  return useMutation({
    meta: { quiet, reads: true },
    mutationFn: (body: Of<'SignInDevelopmentRequest'>) => given(api.POST('/session/development', { body })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
      await queries.invalidateQueries({ predicate: isOfCatalog });
      done?.();
    },
  });
}

/** Whether the session has one of these scopes. */
export function useMay(...scopes: readonly ('catalog:write' | 'catalog:admin')[]): boolean {
  const had = (useSession().claims.scope ?? '').split(' ');
  return scopes.some((scope) => had.includes(scope));
}

/** Whether the session may do what a place is for: import, or make something new. All others are for everybody. */
export function useMayGo(): (path: string) => boolean {
  const [writes, administers] = [useMay('catalog:write'), useMay('catalog:admin')];
  return (path) =>
    /\/(gateways|webhooks)\/new$/.test(path) ? administers : writes || !/\/(new|import)$/.test(path);
}
