/** Which endpoints a call of an offered tool reaches, and the rules about what of them is off. Pure. */
import type { EndpointRow } from '../rows.js';
import type { Offer } from './offers.js';

/** The endpoint of the tool and those that its operation calls, as far as they are there. */
export const reachedBy = ({ endpoint, called }: Offer): readonly EndpointRow[] =>
  [endpoint, ...(called?.values() ?? [])].filter((each) => each !== undefined);

/** The first of them of which this part is off, else the first. */
function reached(part: EndpointRow['inactive_part'], offer: Offer): EndpointRow | undefined {
  const all = reachedBy(offer);
  return all.find(({ inactive_part: off }) => off === part) ?? all[0];
}

/** The first of them that serves another environment than the agent's, else the first. */
export function foreign(offer: Offer): EndpointRow | undefined {
  const all = reachedBy(offer);
  return all.find(({ env_tag: envTag }) => envTag !== null && envTag !== offer.agent.env_tag) ?? all[0];
}

const isOn = (part: string, endpoint: Offer['endpoint']): boolean | null =>
  endpoint === undefined ? null : endpoint.inactive_part !== part;

/** Rules, in the order in which they are tried: of what is off around an endpoint, the outermost is named. */
export const reachRules = [
  {
    reason: 'api_inactive',
    compared: (offer: Offer) => {
      const endpoint = reached('api', offer);
      return { apiId: endpoint?.api_id ?? null, active: isOn('api', endpoint) };
    },
    objection: (offer: Offer) => {
      const endpoint = reached('api', offer);
      return endpoint?.inactive_part === 'api' ? `The API ${endpoint.api_id} is inactive.` : undefined;
    },
  },
  {
    reason: 'api_version_inactive',
    compared: (offer: Offer) => {
      const endpoint = reached('api_version', offer);
      return { apiVersionId: endpoint?.api_version_id ?? null, active: isOn('api_version', endpoint) };
    },
    objection: (offer: Offer) => {
      const endpoint = reached('api_version', offer);
      return endpoint?.inactive_part === 'api_version'
        ? `The version ${endpoint.api_version} of the API ${endpoint.api_id} is inactive.`
        : undefined;
    },
  },
  {
    reason: 'endpoint_inactive',
    compared: (offer: Offer) => {
      const endpoint = reached('endpoint', offer);
      return {
        endpointId: endpoint?.endpoint_id ?? offer.tool.endpoint_id,
        active: isOn('endpoint', endpoint),
      };
    },
    objection: ({ tool, endpoint, called = new Map<string, undefined>() }: Offer) => {
      const own = tool.endpoint_id === null ? [] : [[tool.endpoint_id, endpoint] as const];
      const gone = [...own, ...called].find(([, it]) => it === undefined || it.inactive_part === 'endpoint');
      return gone && `The endpoint ${gone[1]?.endpoint ?? gone[0]} is inactive.`;
    },
  },
] as const;
