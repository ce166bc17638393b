import type { EndpointRecord } from '../endpoints/endpoint.lookup.js';
import type { ToolInvocation, ToolWords } from './tool-facts.js';

/** What an endpoint gives its tool. */
export interface ToolSource {
  readonly words: ToolWords;
  readonly invocation: ToolInvocation;
  /** Kept by the endpoint alone; here for comparison. */
  readonly outputSchema: Readonly<Record<string, unknown>> | null;
}

export function sourceOf({ facts }: EndpointRecord): ToolSource {
  const { description, routing, safety, lifecycleStatus, inputSchema, outputSchema, sourceProtocol } = facts;
  return {
    words: { description, routing, safety, lifecycleStatus },
    invocation: {
      inputSchema,
      sourceProtocol: sourceProtocol === '' ? null : sourceProtocol,
      capabilityRef: facts.capabilityRef ?? null,
    },
    outputSchema: (outputSchema as ToolSource['outputSchema'] | undefined) ?? null,
  };
}
