import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from './problem.js';

interface Place {
  readonly path: RegExp;
  readonly methods: Set<string>;
}

/** By the service that has them. */
const places = new WeakMap<object, Map<string, Place>>();

/** Remembers which methods there are at each path; to be called before routes are declared. */
export function rememberMethods(instance: FastifyInstance): void {
  const known = new Map<string, Place>();
  places.set(instance.server, known);
  instance.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const place = known.get(url) ?? { path: patternOf(url), methods: new Set<string>() };
    known.set(url, place);
    for (const each of [method].flat()) place.methods.add(each);
  });
}

/** Problem 405 where there is something at the path of a request, by other methods than the one it came with. */
export function otherMethods({ server, url, method }: FastifyRequest): Problem | undefined {
  const [path = ''] = url.split('?');
  const there = [...(places.get(server.server)?.values() ?? [])].filter((place) => place.path.test(path));
  const allow = [...new Set(there.flatMap(({ methods }) => [...methods]))].sort().join(', ');
  if (allow === '') return undefined;
  const detail = `There is no ${method} at this path. It takes ${allow}.`;
  return new Problem(405, 'method_not_allowed', detail, { headers: { allow } });
}

function patternOf(url: string): RegExp {
  const parts = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.+$^()[\]{}|\\?]/g, '\\$&')));
  return new RegExp(`^${parts.join('/')}$`);
}
