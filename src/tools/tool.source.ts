import type { EndpointRecord } from '../endpoints/endpoint.lookup.js';
import type { EndpointFacts } from '../formats/endpoint-facts.js';
import { lightApiWords } from '../endpoints/lightapi-words.js';
import type { ToolInvocation, ToolWords } from './tool-facts.js';

/** What an endpoint gives its tool. */
export interface ToolSource {
  readonly words: ToolWords;
  /** What the documents come to where guards are held that they loosen. */
  readonly offered?: ToolWords;
  readonly invocation: ToolInvocation;
  readonly kept: KeptByEndpoint;
}

/** What the endpoint alone keeps of what its tool shows; here for comparison. */
export type KeptByEndpoint = Readonly<Pick<EndpointFacts, 'method' | 'path' | 'scopes' | 'outputSchema'>> & {
  /** Those of the document, beside the operator's own. */
  readonly examplePrompts?: readonly string[];
};

export function sourceOf({ facts, offered }: EndpointRecord): ToolSource {
  const { inputSchema, sourceProtocol } = facts;
  const { method, path, scopes, outputSchema, lightapi } = facts;
  const { prompts: examplePrompts } = lightApiWords(lightapi);
  return {
    words: wordsOf(facts),
    ...(offered !== undefined && { offered: wordsOf(offered) }),
    invocation: {
      inputSchema,
      sourceProtocol: sourceProtocol === '' ? null : sourceProtocol,
      capabilityRef: facts.capabilityRef ?? null,
    },
    kept: {
      ...{ method, path },
      ...(scopes.length > 0 && { scopes: scopes as NonNullable<EndpointFacts['scopes']> }),
      ...(outputSchema !== undefined && { outputSchema }),
      ...(examplePrompts.length > 0 && { examplePrompts }),
    },
  };
}

function wordsOf({ description, routing, safety, lifecycleStatus }: EndpointRecord['facts']): ToolWords {
  return { description, routing, safety, lifecycleStatus };
}
