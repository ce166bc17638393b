import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

/** What is no page, whatever a browser says it would like: an address below it that leads nowhere is a problem in JSON. */
const withoutPages = new Set([
  'v1',
  'docs',
  'session',
  'mcp',
  'assets',
  'health',
  'metrics',
  'openapi.json',
  '.well-known',
]);

/**
 * Serves the web application: its page for every address that a browser asks for and nothing else answers, its files, whose names
 * hold their digests, for good.
 *
 * @param publicUrl address under which browsers reach the service; its path is the prefix that something in front takes away
 * @returns whether it is built, and so is served
 */
export function servePortal(instance: FastifyInstance, publicUrl: URL | undefined): boolean {
  const folder = builtPortal();
  if (folder === undefined) return false;
  const base = (publicUrl?.pathname ?? '/').replace(/\/*$/, '/');
  const page = readFileSync(join(folder, 'index.html'), 'utf8').replaceAll('__BASE__', inAttribute(base));
  serveAssets(instance, join(folder, 'assets'));
  const send = (reply: FastifyReply): FastifyReply => {
    const nonce = randomBytes(16).toString('base64url');
    return reply
      .headers(pageHeaders(nonce))
      .type('text/html; charset=utf-8')
      .send(page.replaceAll('__NONCE__', nonce));
  };
  instance.get('/', (_, reply) => send(reply));
  instance.get('/*', (request, reply) => {
    if (isPage(request)) return send(reply);
    reply.callNotFound();
    return reply;
  });
  return true;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** By preference: what the build has made of a file beside it. */
const codings = { br: '.br', gzip: '.gz' } as const;

/** Each file has a route of its own and stays in memory: no name that a request makes up is ever looked for on the disk. */
function serveAssets(instance: FastifyInstance, folder: string): void {
  const files = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  for (const [name, plain] of files) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    instance.get(`/assets/${name}`, ({ headers }, reply) => {
      const accepted = new Negotiator({ headers }).encodings(Object.keys(codings));
      const coding = (['br', 'gzip'] as const).find((each) => accepted.includes(each));
      const coded = coding && files.get(`${name}${codings[coding]}`);
      void reply
        .type(type)
        .header('vary', 'accept-encoding')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('x-content-type-options', 'nosniff');
      if (coding !== undefined && coded !== undefined) void reply.header('content-encoding', coding);
      return reply.send(coded ?? plain);
    });
  }
}

/** Styles that scripts add carry the nonce; all else comes from here, and nothing may frame the page. */
function pageHeaders(nonce: string): Record<string, string> {
  const policy = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'base-uri': "'self'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  };
  return {
    'content-security-policy': Object.entries(policy)
      .map(([directive, sources]) => `${directive} ${sources}`)
      .join('; '),
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}

function isPage({ url, headers: { accept = '' } }: FastifyRequest): boolean {
  const [path = ''] = url.split('?');
  const [, first = ''] = path.split('/');
  return accept.includes('text/html') && !withoutPages.has(first);
}

/** The nearest `ui/dist` above this file: beside the sources as beside what is built. */
function builtPortal(): string | undefined {
  for (
    let above = dirname(fileURLToPath(import.meta.url));
    above !== dirname(above);
    above = dirname(above)
  ) {
    const folder = join(above, 'ui', 'dist');
    if (existsSync(join(folder, 'index.html'))) return folder;
  }
  return undefined;
}

function inAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
