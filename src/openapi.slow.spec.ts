import { jsonValidator, textValidator } from './platform/validation/validator.js';
import { declaredRoutes, openApiDocument } from './openapi.js';

const routes = declaredRoutes();

it('is the same, byte for byte, however often it is made', () => {
  expect(JSON.stringify(openApiDocument())).toBe(JSON.stringify(openApiDocument()));
});

/** What an OpenID provider or a client of a registry sends: their standards add to it, and a form is no JSON. */
const byStandards = ['finishSignIn', 'signOutByProvider', 'listMcpServers'];

it('gives every schema of size one name, and refers to it wherever it stands', () => {
  const document = openApiDocument() as {
    readonly paths: object;
    readonly components: { readonly schemas: object };
  };
  const times = new Map<string, number>();
  const count = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { description: _, ...schema } = value as Readonly<Record<string, unknown>>;
    const text = JSON.stringify(schema);
    if ('properties' in schema && text.length > 250) times.set(text, (times.get(text) ?? 0) + 1);
    for (const [name, member] of Object.entries(value)) if (!/^examples?$/.test(name)) count(member);
  };
  count([document.paths, document.components.schemas]);
  expect([...times].filter(([, count]) => count > 1).map(([text]) => text)).toEqual([]);
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining(['Skill', 'ListedSkill', 'SkillList', 'CreateSkillRequest', 'Receipt', 'Problem']),
  );
});

it('names every operation once', () => {
  const ids = routes.map(({ operation }) => operation.id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

it('shows 201 beside 200 where a record may be new', () => {
  const document = JSON.parse(JSON.stringify(openApiDocument())) as {
    paths: Record<string, { put: { responses: object } }>;
  };
  const link = document.paths['/v1/hosts/{hostId}/skills/{skillId}/tools/{toolId}'];
  expect(Object.keys(link?.put.responses ?? {})).toEqual(expect.arrayContaining(['200', '201']));
});

describe.each(routes.map((route) => [route.operation.id, route] as const))(
  '%s',
  (_, { url, method, operation }) => {
    const { query, body, answer, example, upload, params } = operation;

    it('has an example of each part, and every example fits its schema', () => {
      expect(jsonValidator(answer)(structuredClone(example.answer))).toEqual([]);
      if (query !== undefined) expect(textValidator(query)(structuredClone(example.query ?? {}))).toEqual([]);
      if (body !== undefined) expect(jsonValidator(body)(structuredClone(example.body))).toEqual([]);
      if (body !== undefined || upload) expect(example.body).toBeDefined();
    });

    it('refuses what it does not know', () => {
      for (const schema of [query, body]) {
        if (schema !== undefined && operation.evolving !== true && !byStandards.includes(operation.id))
          expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
      }
    });

    it('lies below the host unless it is about the service, and names its parameters after the path', () => {
      // Of discovery the host follows from the address, and the paths from the standards.
      if (operation.optionalToken) expect(url).not.toContain('/v1/');
      else if (operation.scope === 'none') expect(url).not.toContain(':');
      else expect(url).toMatch(/^\/v1\/hosts\/:hostId\//);
      for (const name of Object.keys(params ?? {})) expect(url).toContain(`:${name}`);
      expect(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).toContain(method);
    });
  },
);
