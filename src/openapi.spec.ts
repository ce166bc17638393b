import { jsonValidator, textValidator } from './platform/validation/validator.js';
import { declaredRoutes, openApiDocument } from './openapi.js';

const routes = declaredRoutes();

it('is the same, byte for byte, however often it is made', () => {
  expect(JSON.stringify(openApiDocument())).toBe(JSON.stringify(openApiDocument()));
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
        if (schema !== undefined && operation.evolving !== true)
          expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
      }
    });

    it('lies below the host unless it is about the service, and names its parameters after the path', () => {
      if (operation.scope === 'none') expect(url).not.toContain(':');
      else expect(url).toMatch(/^\/v1\/hosts\/:hostId\//);
      for (const name of Object.keys(params ?? {})) expect(url).toContain(`:${name}`);
      expect(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).toContain(method);
    });
  },
);
