import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance, FastifyReply } from 'fastify';

const assets: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Portal catalog</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="documents"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** Scripts and styles from here alone; the page's own icons are data. */
const pageHeaders = {
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'",
};

const start = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#documents', deepLinking: true, validatorUrl: null });\n`;

/**
 * Serves the OpenAPI document as `/openapi.json` and, to be read and tried, under `/docs`, where `/` leads to; the browser fetches
 * nothing from elsewhere.
 */
export function serveDocuments(instance: FastifyInstance, document: object): void {
  const { resolve } = createRequire(import.meta.url);
  const text = JSON.stringify(document);
  instance.get('/openapi.json', (_, reply) => reply.type('application/json; charset=utf-8').send(text));
  instance.get('/docs', (_, reply) => reply.headers(pageHeaders).type('text/html; charset=utf-8').send(page));
  for (const path of ['/', '/docs/']) instance.get(path, (_, reply) => reply.redirect('/docs'));
  instance.get('/docs/start.js', (_, reply) => reply.type('text/javascript; charset=utf-8').send(start));
  for (const [file, type] of Object.entries(assets)) {
    const path = resolve(`swagger-ui-dist/${file}`);
    instance.get(`/docs/${file}`, (_, reply): FastifyReply => reply.type(type).send(createReadStream(path)));
  }
}
