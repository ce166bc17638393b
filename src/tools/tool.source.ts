import type { EndpointRecord } from '../endpoints/endpoint.lookup.js';
import type { LayerFacts } from '../endpoints/layer-facts.js';
import type { ToolInvocation, ToolWords } from './tool-facts.js';

/** What an endpoint gives its tool. */
export interface ToolSource {
  readonly words: ToolWords;
  readonly invocation: ToolInvocation;
  readonly kept: KeptByEndpoint;
}

/** What the endpoint alone keeps of what its tool shows; here for comparison. */
export type KeptByEndpoint = Readonly<Pick<LayerFacts, 'method' | 'path' | 'scopes' | 'outputSchema'>>;

export function sourceOf({ facts }: EndpointRecord): ToolSource {
  const { description, routing, safety, lifecycleStatus, inputSchema, sourceProtocol } = facts;
  const { method, path, scopes, outputSchema } = facts;
  return {
    words: { description, routing, safety, lifecycleStatus },
    invocation: {
      inputSchema,
      sourceProtocol: sourceProtocol === '' ? null : sourceProtocol,
      capabilityRef: facts.capabilityRef ?? null,
    },
    kept: {
      ...{ method, path },
      ...(scopes.length > 0 && { scopes: scopes as NonNullable<LayerFacts['scopes']> }),
      ...(outputSchema !== undefined && { outputSchema }),
    },
  };
}
