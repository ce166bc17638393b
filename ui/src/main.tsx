import '@patternfly/react-core/dist/styles/base.css';
import './shell/portal.css';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiFault, onSessionEnd } from './api/client.ts';
import { isOfCatalog, sessionQuery } from './api/session.ts';
import { forgetFaults, Notices, notify } from './parts/notices.tsx';
import { portalRouter } from './shell/routes.tsx';
import { followTheme } from './shell/theme.ts';
import { preferredLanguage, Speech, textsOf } from './texts/texts.tsx';

followTheme();
/** Milliseconds that a write waits for what is read after it. */
const LONGEST_READ = 500;

/** What failed for good is shown where it failed; that a write failed is said besides, wherever its author looks. */
const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache(),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, { meta }) => {
      if (meta?.['quiet'] !== true) notify('danger', error.message);
    },
    // What only reads changes nothing that others read. A write is done once its screen shows it; but it waits for no slow read.
    onSuccess: (_data, _variables, _context, { meta }) =>
      meta?.['reads'] === true
        ? undefined
        : Promise.race([
            queries.invalidateQueries({ predicate: isOfCatalog }),
            new Promise<void>((done) => setTimeout(done, LONGEST_READ)),
          ]),
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) =>
        count < 2 && error instanceof ApiFault && [0, 502, 503, 504].includes(error.status),
    },
  },
});

const language = preferredLanguage();
document.documentElement.lang = language;
const texts = await textsOf(language);
onSessionEnd(
  () => queries.query({ ...sessionQuery, staleTime: 0 }).catch(() => undefined),
  texts.signIn.sessionOver,
);
const router = portalRouter(queries);
router.subscribe('onResolved', ({ pathChanged }) => pathChanged && forgetFaults());
const place = document.getElementById('portal');
if (place === null) throw new Error('The page has no place for the portal.');
createRoot(place).render(
  <StrictMode>
    <Speech texts={texts} language={language}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <Notices />
      </QueryClientProvider>
    </Speech>
  </StrictMode>,
);
