import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router';
import { base } from '../api/client.ts';
import { sessionQuery } from '../api/session.ts';
import { Screen } from '../parts/screen.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { useTexts } from '../texts/texts.tsx';
import { Portal } from './portal.tsx';

const root = createRootRoute({
  component: Portal,
  notFoundComponent: NoSuchPage,
  errorComponent: ({ error, reset }) => <Failure error={error} retry={reset} />,
});

function NoSuchPage() {
  const { states } = useTexts();
  return <Screen title={states.noPage}>{states.noPageMend}</Screen>;
}

/** Screens are loaded when they are gone to. */
const screens: Readonly<Record<string, () => Promise<{ readonly default: RouteComponent }>>> = {
  '/': () => import('../screens/home/home.tsx'),
  '/desk': () => import('../screens/tools/desk.tsx'),
  '/import': () => import('../screens/import/import.tsx'),
  '/apis/$apiId': () => import('../screens/import/api.tsx'),
  '/tools': () => import('../screens/tools/tools.tsx'),
  '/tools/$toolId': () => import('../screens/tools/tool.tsx'),
  '/tools/$toolId/versions/$version': () => import('../screens/tools/version.tsx'),
  '/skills': () => import('../screens/skills/skills.tsx'),
  '/skills/new': () => import('../screens/skills/new-skill.tsx'),
  '/skills/$skillId': () => import('../screens/skills/skill.tsx'),
  '/endpoints': () => import('../screens/endpoints/endpoints.tsx'),
  '/endpoints/$endpointId': () => import('../screens/endpoints/endpoint.tsx'),
  '/workflows': () => import('../screens/workflows/workflows.tsx'),
  '/workflows/new': () => import('../screens/workflows/new-workflow.tsx'),
  '/workflows/$wfDefId': () => import('../screens/workflows/workflow.tsx'),
  '/gateways': () => import('../screens/gateways/gateways.tsx'),
  '/gateways/new': () => import('../screens/gateways/new-gateway.tsx'),
  '/gateways/$gatewayId': () => import('../screens/gateways/gateway.tsx'),
  '/webhooks': () => import('../screens/webhooks/webhooks.tsx'),
  '/webhooks/new': () => import('../screens/webhooks/new-webhook.tsx'),
  '/webhooks/$webhookId': () => import('../screens/webhooks/webhook.tsx'),
  '/search': () => import('../screens/search/search.tsx'),
  '/data-sets/$setName': () => import('../screens/search/data-set.tsx'),
  '/evaluations/$evaluationId': () => import('../screens/search/evaluation.tsx'),
  '/graph': () => import('../screens/graph/graph.tsx'),
  '/settings': () => import('../screens/settings/settings.tsx'),
  '/taxonomy': () => import('../screens/taxonomy/taxonomy.tsx'),
  '/log': () => import('../screens/log/log.tsx'),
  '/agents': () => import('../screens/agents/agents.tsx'),
  '/agents/new': () => import('../screens/agents/new-agent.tsx'),
  '/agents/$agentDefId': () => import('../screens/agents/agent.tsx'),
};

const routes = Object.entries(screens).map(([path, load]) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(load),
    // The state of a screen is in its address as plain text: each screen takes what it knows.
    validateSearch: (search: Record<string, unknown>) => textsIn(search),
  }),
);

function textsIn(search: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(search)
      .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '')
      .map(([name, value]) => [name, String(value)]),
  );
}

/** The router, whose first question is who is signed in. */
export function portalRouter(queries: QueryClient) {
  // What fails is shown by the page, which asks the same.
  queries.query(sessionQuery).catch(() => undefined);
  return createRouter({
    routeTree: root.addChildren(routes),
    basepath: new URL(base).pathname,
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    defaultErrorComponent: ({ error, reset }) => <Failure error={error} retry={reset} />,
    scrollRestoration: true,
    // As plain text, not as JSON: `?q=5` is a text, and an address can be written by hand.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const text = new URLSearchParams(textsIn(search)).toString();
      return text === '' ? '' : `?${text}`;
    },
  });
}
