import type { EndpointFacts } from '../formats/endpoint-facts.js';

/**
 * The endpoint key that the metadata of a listed tool names: a member of `_meta`, or `_meta` itself, with `endpoint`
 * (`/accounts/{accountNo}@get`), or with `path` and `method`.
 */
export function routeOf({ extras }: EndpointFacts): string | undefined {
  const meta = extras?.['_meta'];
  if (!isObject(meta)) return undefined;
  for (const place of [meta, ...Object.values(meta)]) {
    const key = isObject(place) ? keyIn(place) : undefined;
    if (key !== undefined) return key;
  }
  return undefined;
}

function keyIn({ endpoint, path, method }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof endpoint === 'string' && /^.+@[a-z]+$/.test(endpoint)) return endpoint;
  if (typeof path !== 'string' || typeof method !== 'string') return undefined;
  return `${path}@${method.toLowerCase()}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
