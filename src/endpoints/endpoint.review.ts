import { isDeepStrictEqual } from 'node:util';
import type { Imported } from './endpoint.commands.js';
import { conflictsOf, type Conflict } from './endpoint.conflicts.js';
import { effectiveOf } from './endpoint.effective.js';
import { enrichmentOf, type Enrichment, type SemanticField } from './endpoint.enrichment.js';
import { fieldsOf } from './endpoint.layers.js';
import { evolveEndpoint, type EndpointState, type KnownEndpoint } from './endpoint.state.js';
import type { LayerFacts } from './layer-facts.js';
import { gradeInput, gradeOutput } from './schema-grade.js';

/** What an import would make of one endpoint, for the one who decides about it. */
export interface Review {
  readonly after: KnownEndpoint;
  /** Fields (dot paths) of the layer that say something else than before, ordered; none of a new endpoint. */
  readonly fields: readonly string[];
  /** Whether a call that was fine before may fail now. */
  readonly breaking: boolean;
  readonly enrichment: Enrichment;
  readonly gaps: readonly SemanticField[];
  readonly conflicts: readonly Conflict[];
}

export function review(before: EndpointState, imported: Imported): Review {
  const said = before.status === 'known' ? before.layers[imported.layer] : undefined;
  const present = evolveEndpoint(before, { type: 'ApiEndpointImportedEvent', data: imported });
  const after = evolveEndpoint(present, {
    type: 'ApiEndpointReturnedEvent',
    data: { layer: imported.layer },
  });
  return {
    after,
    fields: before.status === 'unknown' ? [] : changedFields(said ?? {}, imported.facts),
    breaking: said !== undefined && breaks(said, imported.facts),
    ...enrichmentOf(effectiveOf(after.layers)),
    conflicts: conflictsOf(after.layers, after.beneath),
  };
}

function changedFields(before: LayerFacts, after: LayerFacts): readonly string[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const fields = new Set([...was.keys(), ...is.keys()]);
  return [...fields].filter((field) => !isDeepStrictEqual(was.get(field), is.get(field))).sort();
}

function breaks(before: LayerFacts, after: LayerFacts): boolean {
  return (
    gradeInput(before.inputSchema, after.inputSchema) === 'breaking' ||
    gradeOutput(before.outputSchema, after.outputSchema) === 'breaking'
  );
}
