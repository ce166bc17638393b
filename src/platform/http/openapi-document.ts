import { STATUS_CODES } from 'node:http';
import type { JSONSchema } from 'json-schema-to-ts';
import { uploadTypes } from './request-body.js';
import { SchemaComponents } from './openapi-schemas.js';
import type { DeclaredRoute, OperationSpec } from './operation.js';
import { isUuidParameter, parameterNames, problemSchema, uuid } from './schemas.js';

type Json = Readonly<Record<string, unknown>>;

/** Texts about the nouns, which the platform does not know. */
export interface NounTexts {
  /** By the heading. */
  readonly tags: Readonly<Record<string, string>>;
  /** By the name in the path. */
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * OpenAPI 3.1 of the routes given, in order of path and method: the same routes give the same bytes. Headers and queries
 * have no `example`: Swagger UI would send it as a value that somebody has chosen.
 */
export function openApiOf(routes: readonly DeclaredRoute[], info: Json, texts: NounTexts): Json {
  const paths: Record<string, Record<string, Json>> = {};
  const schemas = new SchemaComponents(routes);
  for (const route of [...routes].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))) {
    const path = route.url.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = operationOf(route, texts, schemas);
  }
  const tags = [...new Set(routes.map(tagOf))]
    .sort()
    .map((name) => ({ name, description: textOn(texts.tags, name) }));
  return {
    openapi: '3.1.1',
    info,
    servers: [{ url: '/', description: 'This service.' }],
    tags,
    paths,
    components: {
      ...components,
      schemas: { ...schemas.all(), Problem: problemSchema },
      parameters: { HostId: hostParameter(texts), ...headers },
    },
  };
}

function orderOf({ url, method }: DeclaredRoute): string {
  return `${url} ${method}`;
}

function operationOf(route: DeclaredRoute, texts: NounTexts, schemas: SchemaComponents): Json {
  const { operation } = route;
  const { id, summary, description, scope } = operation;
  const scopes = typeof scope === 'string' ? [scope] : scope;
  const note = scope === 'none' ? [] : [`Scope: ${scopes.map((each) => `\`${each}\``).join(' or ')}.`];
  return {
    operationId: id,
    summary,
    description: [description ?? [], note].flat().join('\n\n') || summary,
    tags: [tagOf(route)],
    security: securityOf(operation),
    parameters: [...pathParameters(route, texts), ...queryParameters(operation), ...headerParameters(route)],
    ...requestBody(operation, schemas),
    responses: responses(route, schemas),
  };
}

function securityOf({ scope, session, optionalToken }: OperationSpec): Json[] {
  if (optionalToken) return [{}, { token: [] }];
  if (scope !== 'none') return [{ token: [] }, { session: [] }];
  return session ? [{ session: [] }] : [];
}

/** The first noun of the path: `skills` of `/v1/hosts/:hostId/skills/:skillId`. */
function tagOf({ url, operation }: DeclaredRoute): string {
  return operation.tag ?? url.replace('/v1/hosts/:hostId', '').split('/')[1] ?? 'service';
}

function textOn(texts: Readonly<Record<string, string>>, name: string): string {
  const text = texts[name];
  if (text === undefined) throw new Error(`The OpenAPI document has no text on ${name}: add one.`);
  return text;
}

function pathParameters({ url, operation }: DeclaredRoute, { parameters }: NounTexts): Json[] {
  return parameterNames(url).map((name) => {
    if (name === 'hostId') return { $ref: '#/components/parameters/HostId' };
    return {
      ...{ name, in: 'path', required: true, description: textOn(parameters, name) },
      schema: operation.params?.[name] ?? (isUuidParameter(name) ? uuid : { type: 'string' }),
    };
  });
}

function hostParameter({ parameters }: NounTexts): Json {
  const description = textOn(parameters, 'hostId');
  return { name: 'hostId', in: 'path', required: true, description, schema: uuid };
}

function queryParameters({ query, example }: OperationSpec): Json[] {
  const { properties = {}, required = [] } = objectOf(query);
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = objectOf(schema);
    const shown: unknown = Reflect.get(example.query ?? {}, name);
    return {
      name,
      in: 'query',
      ...(required.includes(name) && !('default' in rest) ? { required: true } : {}),
      ...withDescription(description, shown),
      schema: rest,
    };
  });
}

function withDescription(description: string | undefined, shown: unknown): Json {
  const example = shown === undefined ? [] : [`For example: \`${textOf(shown)}\``];
  const text = [description ?? [], example].flat().join(' ');
  return text === '' ? {} : { description: text };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function headerParameters(route: DeclaredRoute): Json[] {
  if (!isWrite(route)) return [];
  const names = route.operation.batch ? ['IdempotencyKey'] : ['IfMatch', 'IdempotencyKey'];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function isWrite({ method, operation }: DeclaredRoute): boolean {
  return method !== 'GET' && operation.reads !== true;
}

function requestBody(
  { body, upload, example, bodyOptional }: OperationSpec,
  schemas: SchemaComponents,
): Json {
  if (upload) {
    const schema = schemas.reference(body ?? { description: 'The document.' });
    const content: Record<string, Json> = {};
    for (const type of uploadTypes(upload)) {
      const isJson = type === 'application/json';
      content[type] = {
        schema: isJson ? schema : { type: 'string' },
        ...(isJson && { example: example.body }),
      };
    }
    return { requestBody: { required: true, content } };
  }
  if (body === undefined) return {};
  const schema = schemas.reference(body);
  return {
    requestBody: {
      required: bodyOptional !== true,
      content: { 'application/json': { schema, example: example.body } },
    },
  };
}

function responses(route: DeclaredRoute, schemas: SchemaComponents): Json {
  const { url, operation } = route;
  const {
    redirects,
    status = redirects ? 302 : 200,
    answer,
    answerType = 'application/json',
    example,
    scope,
    body,
    upload,
    session,
    query,
    optionalToken,
  } = operation;
  const isOpenToAll =
    scope === 'none' && !session && !optionalToken && query === undefined && body === undefined;
  const writes = isWrite(route);
  const problems = [
    ...(isOpenToAll ? [] : [400, 401, 403, 429]),
    ...(/:hostId\/.*:/.test(url) || optionalToken ? [404] : []),
    ...(writes ? [409, 412, 422] : []),
    ...(body !== undefined || upload ? [413, 415] : []),
    503,
  ].sort();
  const success = {
    description: STATUS_CODES[status] ?? '',
    ...(writes && !operation.batch ? { headers: { ETag: { $ref: '#/components/headers/ETag' } } } : {}),
    content: { [answerType]: { schema: schemas.reference(answer), example: example.answer } },
  };
  const answers: Record<string, Json> = { [String(status)]: success };
  if (operation.creates) answers['201'] = { ...success, description: STATUS_CODES[201] ?? '' };
  for (const code of problems) answers[String(code)] = { $ref: `#/components/responses/${String(code)}` };
  return answers;
}

function objectOf(schema: JSONSchema | undefined): {
  readonly properties?: Readonly<Record<string, JSONSchema>>;
  readonly required?: readonly string[];
  readonly description?: string;
} {
  return typeof schema === 'object' ? (schema as object) : {};
}

const problems: Readonly<Record<number, string>> = {
  400: 'The request is malformed or invalid; `errors` names every fault of a body.',
  401: 'There is no valid token.',
  403: 'The token does not cover the request.',
  404: 'There is no such record, or the token does not cover it.',
  409: 'A rule of the catalog forbids it in the present state.',
  412: 'The record is not at the version of `If-Match`.',
  413: 'The body is too large.',
  415: 'The body is of another media type.',
  422: 'The `Idempotency-Key` was used for another request.',
  429: 'Too many requests; `Retry-After` says when to come back.',
  503: 'The service is not ready, or is stopping.',
};

function problemResponse([status, description]: [string, string]): [string, Json] {
  const example = {
    type: 'about:blank',
    title: STATUS_CODES[status],
    status: Number(status),
    detail: description,
    instance: '/v1/hosts/0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01/skills',
    code: 'stable_name',
  };
  const content = {
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, example },
  };
  return [status, { description, content }];
}

const components = {
  securitySchemes: {
    token: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'Claims: host, sid, env, scope.',
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-portal-session',
      description:
        'For pages that the service itself serves: a session of GET /session. Whatever is not a GET sends x-csrf-token, too. A bearer token wins over it.',
    },
  },
  headers: {
    ETag: { description: 'Version of the record, in quotes.', schema: { type: 'string' }, example: '"1"' },
  },
  responses: Object.fromEntries(Object.entries(problems).map(problemResponse)),
};

const headers = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Version that the record must have, as in its ETag (`"3"`), or `*`: 412 otherwise.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes a repeated request safe: it is answered as the first one was, for at least 24 hours. A new one for each new request.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
};
