import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { isFromPageHere } from '../sessions/own-origin.js';
import { Problem } from './problem.js';

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
 * Serves the OpenAPI document as `/openapi.json` and, to be read and tried, under `/docs`; the browser fetches nothing from
 * elsewhere.
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
  instance.get('/docs/', (_, reply) => reply.redirect('/docs'));
  instance.get('/docs/start.js', (_, reply) =>
    reply.type('text/javascript; charset=utf-8').send(startScript),
  );
  for (const [file, type] of Object.entries(assets)) {
    const path = resolve(`swagger-ui-dist/${file}`);
    instance.get(`/docs/${file}`, (_, reply): FastifyReply => reply.type(type).send(createReadStream(path)));
  }
}

/** Serves `POST`: a token of the development issuer, for the page of `/docs` in a browser on this machine and for nobody else. */
function serveToken(instance: FastifyInstance, path: string, mint: () => Promise<string>): void {
  instance.post(path, async (request, reply) => {
    if (!isFromPageHere(request)) throw pageOnly();
    const token = await mint();
    return reply.header('cache-control', 'no-store').send({ token });
  });
}

function pageOnly(): Problem {
  return new Problem(
    403,
    'page_only',
    'This token is for the page /docs alone, opened in a browser on the machine of the service. Elsewhere: portal-catalog token.',
  );
}

/** What a browser is given under `/docs`, beside Swagger UI itself. */

/** Claim `client_id` of the tokens that the page asks for: events and the log show by it what was tried there. */
export const pageClient = 'portal-catalog-docs';

/** @param tokenPath where the page may ask for a token, if it may */
function docsPage(tokenPath: string | undefined): string {
  const token = tokenPath === undefined ? '' : ` data-token="${tokenPath}"`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Portal catalog</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="documents"${token}></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;
}

/**
 * Starts Swagger UI, which keeps the token that is entered there over a reload. Where the page may ask for one, it does, unless
 * another that still holds was entered. The host is that of the token.
 */
const startScript = `
const { token: tokenPath } = document.getElementById('documents').dataset;

const claimsOf = (token) => {
  try {
    return JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return {};
  }
};

const kept = () => {
  try {
    return JSON.parse(localStorage.getItem('authorized')).token.value;
  } catch {
    return '';
  }
};

const newToken = async () => {
  const answer = await fetch(tokenPath, { method: 'POST' });
  return answer.ok ? (await answer.json()).token : undefined;
};

const start = async () => {
  const document = await (await fetch('/openapi.json')).json();
  const own = claimsOf(kept());
  const holds = own.exp * 1000 > Date.now() && own.client_id !== '${pageClient}';
  const token = holds || tokenPath === undefined ? undefined : await newToken();
  const { host } = token === undefined ? own : claimsOf(token);
  if (host !== undefined) document.components.parameters.HostId.example = host;
  const ui = SwaggerUIBundle({
    spec: document,
    dom_id: '#documents',
    deepLinking: true,
    validatorUrl: null,
    persistAuthorization: true,
    onComplete: () => token !== undefined && ui.preauthorizeApiKey('token', token),
  });
};

start();
`.trimStart();
