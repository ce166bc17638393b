import { canonicalJson, sha256Hex } from '../eventsourcing/canonical-json.js';
import type { EndpointFacts, ScopeFacts } from '../formats/endpoint-facts.js';
import type { DocumentFormat, ImportedEndpoint, ImportedScope } from './imported.js';

/** What a document says of one endpoint, as a layer takes it. */
export interface LayerOffer {
  /** The endpoint key. */
  readonly endpoint: string;
  /** Hex SHA-256 of the RFC 8785 bytes of what it says: equal where nothing has changed. */
  readonly digest: string;
  /** What the catalog exported itself: nothing new where the endpoint is known. */
  readonly standing?: boolean;
  /** The RFC 8785 text of its {@link EndpointFacts}: parsed only where it says anything new. */
  readonly facts: string;
}

export function offerOf(imported: ImportedEndpoint, format: DocumentFormat): LayerOffer {
  return offering(imported.key, factsOf(imported, format));
}

export function offering(endpoint: string, said: EndpointFacts): LayerOffer {
  const facts = canonicalJson(said);
  return { endpoint, digest: sha256Hex(facts), facts };
}

function scopeFactsOf({ scopes, ...scheme }: ImportedScope): ScopeFacts {
  return { ...scheme, scopes: [...scopes] };
}

/** What the document leaves empty is not said, so that a lower layer may say it. */
function factsOf(imported: ImportedEndpoint, format: DocumentFormat): EndpointFacts {
  const { method, path, name, inputSchema, parameters, safety, lifecycleStatus } = imported;
  const { description, tags, scopes, extras, sourceName, title, outputSchema } = imported;
  return {
    ...{ method, path, name, inputSchema, safety, lifecycleStatus },
    sourceProtocol: format,
    routing: {
      ...imported.routing,
      parameters: Object.fromEntries(Object.entries(parameters).map(([name, to]) => [name, { ...to }])),
    },
    ...(sourceName !== undefined && { sourceName }),
    ...(title !== undefined && { title }),
    ...(outputSchema !== undefined && { outputSchema }),
    ...(description !== '' && { description }),
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(scopes.length > 0 && { scopes: scopes.map((needed) => needed.map(scopeFactsOf)) }),
    ...(Object.keys(extras).length > 0 && { extras }),
  };
}
