import type { Server } from './server.js';

export interface Listed {
  readonly endpointId: string;
  readonly toolId: string;
  readonly method: string;
}
export interface Found {
  readonly conflicts: readonly object[];
  readonly [more: string]: unknown;
}

/** Two operations of an API; what is given is said of the first. */
export const documentOf = (first: object, more: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Accounts', version: '1' },
  components: {
    securitySchemes: {
      oauth: {
        type: 'oauth2',
        flows: { clientCredentials: { tokenUrl: 'https://a.example/t', scopes: {} } },
      },
    },
  },
  security: [{ oauth: ['account.r', 'account.meta'] }, { oauth: ['admin'] }],
  paths: {
    '/accounts': {
      get: {
        operationId: 'listAccounts',
        description: 'Lists.',
        tags: ['accounts'],
        responses: {},
        ...first,
      },
      delete: { operationId: 'closeAccounts', description: 'Closes.', tags: ['closing'], responses: {} },
    },
  },
  ...more,
});

let apis = 0;

/** What the tests of reviews do over HTTP. */
export function reviewWorld(server: () => Server) {
  const api = <Body = Record<string, unknown>>(method: string, path: string, body?: object, token?: string) =>
    server().api<Body>(method, path, { ...(body && { body }), ...(token && { token }) });

  /** An API of its own, published: ids of its version, and of the first operation and its tool. */
  const published = async (document: object = documentOf({})) => {
    const apiId = `review-${String((apis += 1))}`;
    const body = {
      api: { apiId },
      version: { apiVersion: '1', serviceId: 'accounts', envTag: 'dev' },
      document,
      publish: true,
    };
    // Each API has an environment-wide claim on its tools' names.
    const report = await api<{ apiVersionId: string }>('POST', '/imports', rename(body, apiId));
    const { apiVersionId } = report.body;
    const endpoints = await list('endpoints', apiId);
    const tools = await list('tools', apiId, 'method=get');
    const [first, second] = [find(endpoints, 'get'), find(endpoints, 'delete')];
    return { apiId, apiVersionId, first, second, tool: String(tools[0]?.toolId) };
  };
  const list = async (noun: 'endpoints' | 'tools', apiId: string, query = '', token?: string) => {
    const answer = await api<{ items: Listed[] }>(
      'GET',
      `/${noun}?apiId=${apiId}&${query}`,
      undefined,
      token,
    );
    expect(answer.status).toBe(200);
    return answer.body.items;
  };
  const find = (items: readonly Listed[], method: string) =>
    String(items.find((item) => item.method === method)?.endpointId);
  /** Tool names are unique in an environment: each API has its own operation ids. */
  const rename = <T extends object>(body: T, apiId: string): T =>
    JSON.parse(JSON.stringify(body).replaceAll(/(list|close)Accounts/g, `$1_${apiId}`)) as T;
  const again = (apiVersionId: string, apiId: string, document: object, dryRun = false) =>
    api(
      'POST',
      `/api-versions/${apiVersionId}/imports?dryRun=${String(dryRun)}`,
      rename({ document }, apiId),
    );
  /** A name that no test has used. */
  const fresh = (name: string): string => `${name}-${String((apis += 1))}`;
  return { api, published, list, rename, again, fresh };
}
