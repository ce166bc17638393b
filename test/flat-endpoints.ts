import { offeredFacts, type EndpointFacts, type EndpointOffer } from '../src/formats/endpoint-facts.js';
import type { ParameterRoute } from '../src/formats/format.js';
import { readDescription, type ReadDescription, type ReadOptions } from '../src/formats/read-description.js';

/** An endpoint whose facts lie flat beside each other, what is not said as empty: easy to compare with what a test expects. */
export type FlatEndpoint = Omit<EndpointFacts, 'routing' | 'sourceProtocol'> &
  Required<Pick<EndpointFacts, 'method' | 'path' | 'name' | 'tags' | 'scopes' | 'extras' | 'safety'>> & {
    readonly key: string;
    readonly description: string;
    readonly inputSchema: Record<string, unknown>;
    readonly parameters: Readonly<Record<string, ParameterRoute>>;
    readonly routing?: object;
  };

export interface FlatDescription extends Omit<ReadDescription, 'offers'> {
  readonly endpoints: readonly FlatEndpoint[];
}

export async function readFlat(
  source: Uint8Array | string | object,
  options: ReadOptions,
): Promise<FlatDescription> {
  const { offers, ...rest } = await readDescription(source, options);
  return { ...rest, endpoints: offers.map(flat) };
}

function flat(offer: EndpointOffer): FlatEndpoint {
  const { routing, sourceProtocol: _, ...others } = offeredFacts(offer);
  const { parameters = {}, ...meaning } = routing ?? {};
  return {
    key: offer.endpoint,
    ...{
      method: '',
      path: '',
      name: '',
      description: '',
      tags: [],
      scopes: [],
      extras: {},
      safety: {},
      inputSchema: {},
    },
    ...others,
    parameters: parameters as FlatEndpoint['parameters'],
    ...(Object.keys(meaning).length > 0 && { routing: meaning }),
  };
}
