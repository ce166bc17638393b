import { commandNameOf, routedNames } from '../../src/command-surface/routed-commands.js';
import { declaredRoutes } from '../../src/openapi.js';
import { portalActions } from '../../src/portal-rpc/portal-action.js';
import { hostId } from './server.js';

type Request = readonly [method: string, path: string, body?: object];

const declared = declaredRoutes();
const routes = declared.filter(({ operation }) => routedNames.includes(operation.id));

/** Actions of the portal that change something, by the operation that they stand for. */
const actions = new Map(
  [...portalActions]
    .filter(([, { kind, listed }]) => kind === 'command' && listed === undefined)
    .map(([action, { operation }]) => [operation, action]),
);

/** Operations that actions of the portal stand for. */
export const actedNames: readonly string[] = [...actions.keys()];

/** The command that does what a request does, as a request; the request itself where there is none. Paths are those below a host. */
export function asCommand(...[method, path, body]: Request): Request {
  const found = routes.find((route) => route.method === method && patternOf(route.url).test(path));
  if (found === undefined) return body === undefined ? [method, path] : [method, path, body];
  const params = patternOf(found.url).exec(path)?.groups;
  return ['POST', `/agent/commands/${commandNameOf(found.operation.id)}`, { ...params, ...body }];
}

/** The action of the portal that does what a request does, as a request; the request itself where there is none. */
export function asAction(...[method, path, body]: Request): Request {
  const found = declared.find((route) => route.method === method && patternOf(route.url).test(path));
  const action = actions.get(found?.operation.id ?? '');
  if (found === undefined || action === undefined)
    return body === undefined ? [method, path] : [method, path, body];
  const params = patternOf(found.url).exec(path)?.groups;
  return ['POST', '//portal/command', { action, data: { hostId, ...params, ...body } }];
}

/** A route's address below its host, with the parameters as groups. */
function patternOf(url: string): RegExp {
  const below = url.replace('/v1/hosts/:hostId', '');
  return new RegExp(`^${below.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
}
