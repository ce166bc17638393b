import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { api, given, useCsrf, type Of } from './client.ts';

/** Who is signed in, and where: answered by the service itself, which keeps the tokens. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    const session = await given(api.GET('/session'));
    if (session.signedIn) useCsrf(session.csrf);
    return session;
  },
  staleTime: 60_000,
});

/** The session that the screens work in; the last one while it has ended, so that what was typed into them stays. */
export const SessionContext = createContext<Of<'SignedIn'> | undefined>(undefined);

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
      await queries.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== 'session' });
      done?.();
    },
  });
}

/** Whether the session has one of these scopes. */
export function useMay(...scopes: readonly ('catalog:write' | 'catalog:admin')[]): boolean {
  const had = (useSession().claims.scope ?? '').split(' ');
  return scopes.some((scope) => had.includes(scope));
}
