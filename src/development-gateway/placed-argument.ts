/** The arguments of a call with their places in the request. */
import type { ParameterRoute, RouterEndpoint } from '../gateways/shared.js';
import type { Arguments } from './call-result.js';

/** What of an endpoint its request is made of. */
export type Requested = Pick<RouterEndpoint, 'path' | 'method' | 'parameters'> & {
  readonly inputSchema: Readonly<Record<string, unknown>>;
};

/** An argument with its place in the request. */
export interface Placed {
  readonly argument: string;
  readonly route: ParameterRoute;
  readonly value: unknown;
}

/** Places each argument; one without a route is a member of the body. */
export function placedArguments({ parameters }: Requested, args: Arguments): readonly Placed[] {
  return (
    Object.entries(args)
      .map(([argument, value]): Placed => {
        const route = Object.hasOwn(parameters, argument) ? parameters[argument] : undefined;
        return { argument, route: route ?? { in: 'body', name: argument }, value };
      })
      // Null exists in JSON only.
      .filter(({ route, value }) => value !== null || route.in === 'body')
  );
}
