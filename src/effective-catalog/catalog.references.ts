/** What the endpoint keys mean by which tools refer to others. Pure. */
import { isDisclosed, type JudgedOffer } from './catalog.offers.js';

/** Whether what a tool of this API version means by an endpoint key is disclosed. */
export type References = (key: string, apiVersionId: string | undefined) => boolean;

/** A key means the endpoint of the API version that names it; where that offers none, whatever has it. */
export function referencesOf(offers: readonly JudgedOffer[]): References {
  const endpointsOf = (some: readonly JudgedOffer[]) => some.flatMap(({ endpoint }) => endpoint ?? []);
  const placed = (endpoint: string, version = ''): string => `${version} ${endpoint}`;
  const all = endpointsOf(offers);
  const given = endpointsOf(offers.filter(isDisclosed));
  const keys = new Set(given.map(({ endpoint }) => endpoint));
  const offeredThere = new Set(all.map((one) => placed(one.endpoint, one.api_version_id)));
  const givenThere = new Set(given.map((one) => placed(one.endpoint, one.api_version_id)));
  return (key, version) => {
    const own = placed(key, version);
    return offeredThere.has(own) ? givenThere.has(own) : keys.has(key);
  };
}
