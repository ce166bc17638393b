import type { EndpointFacts } from '../formats/endpoint-facts.js';
import type { DriftFinding } from './drift.js';

/** Findings that change what the gateway's layer says. */
export const changedFindings = ['schema_changed', 'description_changed', 'annotations_changed'] as const;
type ChangedFinding = (typeof changedFindings)[number];

export function isChange(finding: DriftFinding): finding is ChangedFinding {
  return changedFindings.some((each) => each === finding);
}

/**
 * The gateway's layer of an endpoint with those parts of what it lists now that were accepted; all else stays as it was
 * accepted before. `decisive`: no source says how the endpoint is called, so the layer does.
 */
export function withAccepted(
  layer: EndpointFacts,
  listed: EndpointFacts,
  finding: ChangedFinding,
  decisive: boolean,
): EndpointFacts {
  switch (finding) {
    case 'schema_changed': {
      const { parameters } = listed.routing ?? {};
      const routing = decisive && parameters !== undefined ? { ...layer.routing, parameters } : layer.routing;
      const { inputSchema, outputSchema } = listed;
      return said({ ...layer, inputSchema, outputSchema, routing });
    }
    case 'description_changed':
      return said({ ...layer, description: listed.description, title: listed.title });
    case 'annotations_changed': {
      const { annotations: _, ...others } = layer.extras ?? {};
      const annotations = listed.extras?.['annotations'];
      const extras = { ...others, ...(annotations !== undefined && { annotations }) };
      return said({
        ...layer,
        safety: listed.safety,
        extras: Object.keys(extras).length === 0 ? undefined : extras,
      });
    }
  }
}

/** What is undefined is not said. */
function said(facts: {
  readonly [Name in keyof EndpointFacts]: EndpointFacts[Name] | undefined;
}): EndpointFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
