import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { docsPage, startScript } from './docs-page.js';
import { serveToken } from './docs-token.js';

const tokenPath = '/docs/token';

const assets: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

/** Scripts and styles from here alone; the page's own icons are data. */
const pageHeaders = {
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'",
};

/**
 * Serves the OpenAPI document as `/openapi.json` and, to be read and tried, under `/docs`, where `/` leads to; the browser fetches
 * nothing from elsewhere.
 *
 * @param mint makes the token that the page is filled in with; without it the page has none
 */
export function serveDocuments(
  instance: FastifyInstance,
  document: object,
  mint?: () => Promise<string>,
): void {
  const { resolve } = createRequire(import.meta.url);
  const text = JSON.stringify(document);
  const page = docsPage(mint && tokenPath);
  if (mint !== undefined) serveToken(instance, tokenPath, mint);
  instance.get('/openapi.json', (_, reply) => reply.type('application/json; charset=utf-8').send(text));
  instance.get('/docs', (_, reply) => reply.headers(pageHeaders).type('text/html; charset=utf-8').send(page));
  for (const path of ['/', '/docs/']) instance.get(path, (_, reply) => reply.redirect('/docs'));
  instance.get('/docs/start.js', (_, reply) =>
    reply.type('text/javascript; charset=utf-8').send(startScript),
  );
  for (const [file, type] of Object.entries(assets)) {
    const path = resolve(`swagger-ui-dist/${file}`);
    instance.get(`/docs/${file}`, (_, reply): FastifyReply => reply.type(type).send(createReadStream(path)));
  }
}
