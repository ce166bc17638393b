/** What OpenAPI documents of strangers hold to reach, to run or to change more than a description may. */

/** Text that does something where somebody runs it instead of showing it. */
export const code = [
  '<script>globalThis.ran = 1</script><img src=x onerror="globalThis.ran = 1">',
  "'); globalThis.ran = 1; //",
  "'; DROP TABLE api_endpoint_t; --",
  '$(touch /tmp/ran) `touch /tmp/ran` | touch /tmp/ran',
  '${globalThis.ran = 1} {{constructor.constructor("globalThis.ran = 1")()}} <%= globalThis.ran = 1 %>',
  '*/ globalThis.ran = 1; /* """\nimport os; os.system("touch /tmp/ran")',
].join('\n');
const codeName = 'a"];globalThis.ran=1;//';
/** Code wherever OpenAPI has words, names and expressions. */
export const openapiOfCode = {
  openapi: '3.1.0',
  info: { title: code, version: code, description: code },
  servers: [{ url: 'https://{host}/${globalThis.ran = 1}', description: code }],
  paths: {
    '/a': {
      post: {
        ...{ operationId: code, summary: code, description: code, tags: [code] },
        parameters: [
          { name: codeName, in: 'query', description: code, schema: { type: 'string', default: code } },
        ],
        requestBody: {
          description: code,
          content: {
            'application/json': {
              schema: {
                description: code,
                properties: {
                  [codeName]: { enum: [code], examples: [code], title: code },
                  b: { pattern: code },
                },
              },
            },
          },
        },
        responses: { '200': { description: code, content: { 'application/json': { example: code } } } },
      },
    },
  },
};

/** Places that no document may make the service look at. */
export const elsewhere = [
  ...['file:///etc/passwd', '/etc/passwd', '../../../../etc/passwd', '\\\\127.0.0.1\\share'],
  ...[
    'http://127.0.0.1:9/x',
    'http://[::1]:9/x',
    'http://localhost:9/x.json#/a',
    'https://169.254.169.254/latest',
  ],
];
const swept = (make: ($ref: string, index: number) => [string, unknown]) =>
  Object.fromEntries(elsewhere.map(($ref, index) => make($ref, index)));
const properties = swept(($ref, index) => [`p${String(index)}`, { $ref }]);
/** References out of the document wherever OpenAPI has one. */
export const openapiElsewhere = {
  openapi: '3.1.0',
  paths: {
    ...swept(($ref, index) => [`/p${String(index)}`, { $ref }]),
    '/a': {
      post: {
        parameters: elsewhere.map(($ref) => ({ $ref })),
        requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } },
        responses: swept(($ref, index) => [String(200 + index), { $ref }]),
      },
    },
    ...swept(($ref, index) => [`/b${String(index)}`, { post: { requestBody: { $ref } } }]),
  },
};
/** The same in 2.0. */
export const swaggerElsewhere = {
  swagger: '2.0',
  paths: {
    ...swept(($ref, index) => [`/p${String(index)}`, { $ref }]),
    '/a': {
      post: {
        parameters: [
          ...elsewhere.map(($ref) => ({ $ref })),
          { name: 'b', in: 'body', schema: { properties } },
        ],
        responses: swept(($ref, index) => [String(200 + index), { schema: { $ref } }]),
      },
    },
  },
};

/**
 * Names of what every object has, wherever OpenAPI has names. As text: in an object literal `__proto__` is no member.
 *
 * @param head its version
 * @param schemas where its schemas stand
 */
export const reserved = (head: string, schemas: (members: string) => string) => {
  const names = ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString'];
  const members = (value: string) => names.map((name) => `"${name}":${value}`).join();
  const schema = `{"type":"object","properties":{${members('{"type":"string"}')}},"required":${JSON.stringify(names)}}`;
  const parameters = names.map(
    (name) => `{"name":"${name}","in":"query","schema":${schema},"type":"string"}`,
  );
  const operation = `{"operationId":"__proto__","tags":["constructor"],"parameters":[${parameters.join()}],${members('{"polluted":true}')},"responses":{"200":{"$ref":"#/__proto__/constructor"}}}`;
  const paths = `"/a":{"get":${operation},${members(operation)}},${members(`{"get":${operation}}`)}`;
  return `{${head},"paths":{${paths}},${schemas(members(schema))},${members('{"polluted":true}')}}`;
};
