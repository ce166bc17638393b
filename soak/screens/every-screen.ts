import { readFileSync } from 'node:fs';
import { v7 } from 'uuid';
import type { PortalBrowser } from '../../test/system/portal-browser.js';

const routes = readFileSync(new URL('../../ui/src/shell/routes.tsx', import.meta.url), 'utf8');
const sample = readFileSync(new URL('../../sample/account-service.openapi.yaml', import.meta.url), 'utf8');
/** Callers have to say more from now on. */
const breaking = sample.replace('cents: { type: integer', 'cents: { type: string');
const definition = `document:
  dsl: 1.0.3
  version: 1.0.0
do:
  - look:
      call: mcp
      with: {tool: listBills}
`;

/** A list of records, by what they have. */
interface Listed {
  readonly items: readonly Readonly<Record<string, string>>[];
}

interface Known {
  readonly skill: string;
  readonly agent: string;
  readonly gateway: string;
}

/** Each screen that there is, with its tabs, where the catalog holds the account service: what is missing to show is made. */
export async function everyScreen(portal: PortalBrowser, { skill, agent, gateway }: Known) {
  const tabs = (path: string, ...names: readonly string[]) => names.map((name) => `${path}?tab=${name}`);
  const tool = await first(portal, '/tools?name=listBills', 'toolId');
  const endpoint = await first(portal, '/endpoints?q=listBills', 'endpointId');
  const made = await makeTheRest(portal);
  return [
    ...['/', '/desk', '/import', '/apis/accounts', '/tools', '/skills', '/skills/new', '/endpoints'],
    ...tabs(`/tools/${tool}`, 'overview', 'input', 'output', 'versions'),
    made.review,
    ...tabs(`/skills/${skill}`, 'overview', 'tools', 'workflow', 'preview'),
    ...tabs(`/endpoints/${endpoint}`, 'layers', 'input', 'output', 'about'),
    ...['/workflows', '/workflows/new', made.workflow, `${made.workflow}?shown=picture`],
    ...['/gateways', '/gateways/new', '/webhooks', '/webhooks/new'],
    ...tabs(`/gateways/${gateway}`, 'tools', 'try', 'drift', 'history', 'settings'),
    ...tabs(made.webhook, 'deliveries', 'settings'),
    ...[
      '/search?prompt=bills',
      ...tabs('/search', 'evaluation', 'sets'),
      '/data-sets/bills',
      made.evaluation,
    ],
    ...['/graph', `/graph?kind=Skill&id=${skill}`, '/settings', '/log'],
    ...tabs('/taxonomy', 'categories', 'tags'),
    ...['/agents', '/agents/new'],
    ...tabs(`/agents/${agent}`, 'catalog', 'why&tool=readAccount', 'assignment', 'profile'),
    '/no/such/screen',
  ];
}

/** Routes of the portal that none of these screens is of. */
export function routesWithout(screens: readonly string[]): readonly string[] {
  const paths = screens.map((screen) => screen.split('?')[0] ?? '');
  const all = [...routes.matchAll(/^ {2}'(\/[^']*)': \(\) => import/gm)].map(([, route = '']) => route);
  if (all.length === 0) throw new Error('No route is found in routes.tsx: it is written otherwise now.');
  return all.filter((route) => {
    const fits = new RegExp(`^${route.replaceAll(/\$\w+/g, '(?!new$)[^/]+')}$`);
    return !paths.some((path) => fits.test(path));
  });
}

async function first(portal: PortalBrowser, path: string, id: string): Promise<string> {
  const { items } = JSON.parse((await portal.others('GET', path)).text) as Listed;
  return items[0]?.[id] ?? '';
}

async function makeTheRest(portal: PortalBrowser) {
  const make = async (method: string, path: string, body: object): Promise<string> => {
    const { status, text } = await portal.others(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${text}`);
    return (JSON.parse(text) as { id?: string }).id ?? '';
  };
  await make('POST', '/imports', {
    ...{ api: { apiId: 'accounts' }, version: { serviceId: 'com.example.accounts-1.0.0', envTag: 'dev' } },
    ...{ publish: true, document: breaking },
  });
  const waiting = JSON.parse((await portal.others('GET', '/tool-versions')).text) as Listed;
  const { toolId = '', toolVersion = '' } = waiting.items[0] ?? {};
  const workflow = await make('POST', '/workflows', {
    ...{ namespace: 'ops', name: 'bills', version: '1.0.0', definition },
  });
  const webhook = `/webhooks/${v7()}`;
  await make('PUT', webhook, { url: 'https://agents.example.com/hooks', secret: 'hook' });
  await make('PUT', '/evaluation-sets/bills', { rows: [{ prompt: 'my bills', expect: ['listBills'] }] });
  const evaluation = await make('POST', '/evaluations', { dataSet: 'bills' });
  await make('POST', '/tags', { entityType: 'tool', tagName: 'slow' });
  await make('POST', '/categories', { entityType: 'tool', categoryName: 'money' });
  return {
    review: `/tools/${toolId}/versions/${toolVersion}`,
    workflow: `/workflows/${workflow}`,
    ...{ webhook, evaluation: `/evaluations/${evaluation}` },
  };
}
