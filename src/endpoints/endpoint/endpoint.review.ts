import { differences, type FieldGrades, gradingOf } from './change-grade.js';
import { type Conflict, conflictsOf } from './endpoint.overrides.js';
import { effectiveOf, type Enrichment, enrichmentOf, type SemanticField } from './endpoint.effective.js';
import { type Fields, fieldsOf } from './endpoint.layers.js';
import { withoutHeld } from './endpoint.guards.js';
import {
  type Brought,
  type EndpointState,
  evolveEndpoint,
  importedInto,
  type KnownEndpoint,
  type Said,
} from './endpoint.state.js';
import type { EndpointFacts } from '../../formats/shared.js';

/** The changes that an import makes to one endpoint, for the person who decides about them. */
export interface Review {
  readonly after: KnownEndpoint;
  /** Fields (dot paths) of the layer that say something else than before, ordered; none of a new endpoint. */
  readonly fields: readonly string[];
  /** Guards that the document loosens and that stay as they are until an administrator accepts it, ordered. */
  readonly held: readonly string[];
  /** The grade of the change of each of these fields, all layers considered. */
  readonly grades: FieldGrades;
  /** Those of these fields whose change is suspicious, whether or not it breaks as well. */
  readonly suspicious: readonly string[];
  /** Whether a call that was fine before may fail now. */
  readonly breaking: boolean;
  readonly enrichment: Enrichment;
  readonly gaps: readonly SemanticField[];
  readonly conflicts: readonly Conflict[];
}

export function review(before: EndpointState, brought: Said & Brought): Review {
  const imported = importedInto(before, brought);
  const said = before.status === 'known' ? before.layers[imported.layer] : undefined;
  const present = evolveEndpoint(before, { type: 'ApiEndpointImportedEvent', data: imported });
  const after = evolveEndpoint(present, {
    type: 'ApiEndpointReturnedEvent',
    data: { layer: imported.layer },
  });
  const fields =
    before.status === 'unknown' ? [] : differences(fieldsOf(said ?? {}), fieldsOf(imported.facts));
  const { grades, suspicious } =
    fields.length === 0
      ? { grades: {}, suspicious: [] }
      : gradingOf(effectiveFields(before), offeredFields(after), fields);
  return {
    after,
    fields,
    held: [...fieldsOf(after.layers.held ?? {}).keys()].sort(),
    grades,
    suspicious,
    breaking: Object.values(grades).includes('breaking'),
    ...enrichmentOf(effectiveOf(after.layers)),
    conflicts: conflictsOf(after),
  };
}

/** Returns the fields that would apply if no guard were held. */
function offeredFields(state: KnownEndpoint): Fields {
  return effectiveFields({ ...state, layers: withoutHeld(state.layers) });
}

function effectiveFields(state: EndpointState): Fields {
  return state.status === 'unknown' ? new Map() : fieldsOf(effectiveOf(state.layers).facts as EndpointFacts);
}
