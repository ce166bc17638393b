import {
  type Brought,
  type Conflict,
  type Enrichment,
  type FieldGrades,
  type KnownEndpoint,
  merge,
  type Review,
  type Said,
} from '../endpoints/shared.js';
import type { StoredEndpoint } from '../endpoints/public.js';
import type { EndpointChange } from './import-report.schemas.js';
import { byCodePoint } from '../documents/json.js';
import type { EndpointOffer } from '../formats/shared.js';
import type { FieldChange } from './field-changes.js';

/** One endpoint of the document beside what is stored of it. */
export interface Offered {
  readonly endpointId: string;
  readonly offer: EndpointOffer;
  readonly stored: StoredEndpoint | undefined;
}

export interface Difference {
  /** Endpoints that the layer describes for the first time, differently, or again. */
  readonly changed: readonly Offered[];
  readonly unchanged: readonly StoredEndpoint[];
  /** Endpoints that the layer no longer describes. */
  readonly missing: readonly StoredEndpoint[];
}

/** Compares a document with what is stored, by digests alone: nothing is read of an endpoint that is unchanged. */
export function compare(
  offers: readonly EndpointOffer[],
  stored: readonly StoredEndpoint[],
  idOf: (endpoint: string) => string,
): Difference {
  const known = new Map(stored.map((endpoint) => [endpoint.endpointId, endpoint]));
  const held = new Set<string>();
  const changed: Offered[] = [];
  const unchanged: StoredEndpoint[] = [];
  for (const offer of offers) {
    const endpointId = idOf(offer.endpoint);
    const endpoint = known.get(endpointId);
    held.add(endpointId);
    const same =
      endpoint !== undefined &&
      !endpoint.missing &&
      (offer.isOwnExport === true || endpoint.digest === offer.digest);
    if (same) unchanged.push(endpoint);
    else changed.push({ endpointId, offer, stored: endpoint });
  }
  return {
    changed,
    unchanged,
    missing: stored.filter(
      (endpoint) => endpoint.digest !== null && !endpoint.missing && !held.has(endpoint.endpointId),
    ),
  };
}

export interface ReportItem {
  readonly endpointId: string;
  readonly endpoint: string;
  readonly name: string;
  readonly change: EndpointChange;
  readonly fields: readonly string[];
  readonly grades: FieldGrades;
  readonly changes: readonly FieldChange[];
  readonly breaking: boolean;
  readonly suspicious: readonly string[];
  readonly held: readonly string[];
  readonly enrichment: Enrichment;
  readonly gaps: readonly string[];
}

/** An endpoint that the import adds, changes or brings back. */
export interface Reviewed extends Offered {
  /** Its state before the import; left out where it is new. */
  readonly before?: KnownEndpoint;
  /** The imports of the endpoint, layer by layer. */
  readonly imports: readonly (Said & Brought)[];
  readonly review: Review;
  /** Changes of its documents, worst first; none of a new endpoint. */
  readonly changes: readonly FieldChange[];
}

/** Adds the review of one more layer: fields and grades add up, the rest is that of the last layer. */
export function withReview(
  before: Offered & Pick<Reviewed, 'imports' | 'changes'> & Partial<Reviewed>,
  imported: Said & Brought,
  review: Review,
  changes: readonly FieldChange[],
): Reviewed {
  const { fields = [], grades = {}, suspicious = [], breaking = false } = before.review ?? {};
  return {
    ...before,
    imports: [...before.imports, imported],
    changes: [...before.changes, ...changes],
    review: {
      ...review,
      fields: [...new Set([...fields, ...(before.stored ? review.fields : [])])].sort(),
      grades: { ...grades, ...(before.stored && review.grades) },
      suspicious: [...new Set([...suspicious, ...review.suspicious])].sort(),
      breaking: breaking || review.breaking,
    },
  };
}

/** One line for each endpoint that the document holds or has lost, ordered by key. */
export function itemsOf(reviewed: readonly Reviewed[], { unchanged, missing }: Difference): ReportItem[] {
  const items = [
    ...reviewed.map(({ endpointId, offer, stored, review, changes }) => {
      const { fields, grades, breaking, suspicious, held, enrichment, gaps, after } = review;
      return {
        endpointId,
        endpoint: offer.endpoint,
        name: merge(after.layers).facts.name ?? offer.endpoint,
        change: changeOf(stored, review),
        fields,
        grades,
        changes,
        breaking,
        suspicious,
        held,
        enrichment,
        gaps,
      };
    }),
    ...unchanged.map((stored) => ({ ...untouched(stored), change: 'unchanged' as const, breaking: false })),
    ...missing.map((stored) => {
      const change: EndpointChange = stored.decisive ? 'deactivated' : 'changed';
      return { ...untouched(stored), change, breaking: stored.decisive };
    }),
  ];
  return items.sort((a, b) => byCodePoint(a.endpoint, b.endpoint));
}

function untouched({ endpointId, endpoint, name, enrichment, gaps }: StoredEndpoint) {
  const nothing = { fields: [], grades: {}, changes: [], suspicious: [], held: [] };
  return { endpointId, endpoint, name, ...nothing, enrichment, gaps };
}

/** Names how an endpoint changes. One that an operator has switched off may come back in the document, but stays inactive. */
function changeOf(stored: StoredEndpoint | undefined, { after }: Review): EndpointChange {
  if (stored === undefined) return 'added';
  return stored.missing && stored.decisive && !after.deactivated ? 'reactivated' : 'changed';
}

export interface ReportConflict extends Conflict {
  readonly endpoint: string;
  /** Why, where the offer is a name. */
  readonly code?: string;
  readonly detail?: string;
  /** The tool that has the name. */
  readonly heldBy?: object;
}

/** Every offer that is not taken after the import, of endpoints that the document holds. */
export function conflictsOf(
  reviewed: readonly Reviewed[],
  unchanged: readonly StoredEndpoint[],
): ReportConflict[] {
  const all = [
    ...reviewed.map(({ offer, review }) => ({ endpoint: offer.endpoint, conflicts: review.conflicts })),
    ...unchanged,
  ];
  return all.flatMap(({ endpoint, conflicts }) => conflicts.map((conflict) => ({ endpoint, ...conflict })));
}

export function countOf(items: readonly ReportItem[], change: EndpointChange): number {
  return items.filter((item) => item.change === change).length;
}
