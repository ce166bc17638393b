/**
 * Judges requests by Prism, which reads the document by itself: its router and its checks of what comes in. A program of its own:
 * reads `{ document, calls: [{ path, method, request }] }` from standard input, and writes one list of complaints for each call.
 */
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';

const require = createRequire(import.meta.url);
const { getHttpOperationsFromSpec } = require('@stoplight/prism-http');
const { validateInput } = require('@stoplight/prism-http/dist/validator');
const { default: route } = require('@stoplight/prism-http/dist/router');

const { document, calls } = JSON.parse(await text(process.stdin));
const resources = await getHttpOperationsFromSpec(document);
const judged = calls.map((call) => {
  try {
    return complaints(call);
  } catch (error) {
    return [`fails by itself: ${String(error.message).slice(0, 200)}`];
  }
});
process.stdout.write(JSON.stringify(judged));

function complaints({ path, method, request }) {
  const element = asPrismReads(request);
  const found = route({ resources, input: element });
  if (found._tag === 'Left') return [`route: ${found.left.detail ?? found.left.message}`];
  const own = resources.find((each) => each.path === path && each.method === method);
  const other = own === found.right ? [] : [`route: taken for ${found.right.method} ${found.right.path}`];
  const { _tag, left = [] } = validateInput({ resource: own ?? found.right, element });
  const errors = _tag === 'Left' ? left.filter(({ severity }) => severity === 0) : [];
  return [...other, ...errors.map(({ path: at = [], message }) => `${at.join('.')}: ${message}`)];
}

/** As its own server hands a request on. */
function asPrismReads({ method, address, headers, body }) {
  const { pathname, searchParams } = new URL(address, 'http://a');
  const query = Object.fromEntries(
    [...searchParams.keys()].map((key) => [key, valueOf(searchParams.getAll(key))]),
  );
  const bytes = Buffer.from(body, 'base64');
  const isJson = /^[\w.-]+\/([\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '');
  return {
    method: method.toLowerCase(),
    url: { path: pathname, query },
    headers: { ...headers, 'content-length': String(bytes.length) },
    body: bytes.length === 0 ? undefined : isJson ? JSON.parse(bytes.toString()) : bytes.toString(),
  };
}

function valueOf(values) {
  return values.length === 1 ? values[0] : values;
}
