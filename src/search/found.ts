/** Makes candidates of rows, and items of an answer of ranked candidates. Pure. */
import { byScore, type Candidate, type Cosines, type Ranked } from '../../packages/ranking/rank.js';
import type { Kind, Relations, SearchDocument } from './documents/search-document.js';
import type { FoundItem } from './search.schemas.js';
import type { Counted } from '../../packages/ranking/keyword-score.js';
import { documentOf, type Words } from '../../packages/ranking/document.js';
import type { RankingSignals } from '../../packages/ranking/weight.js';

export interface Findable extends Candidate {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** API version of the endpoint, or of the tool's endpoint. */
  readonly apiVersionId: string | null;
  readonly related: Relations;
}

type Related = NonNullable<FoundItem['related']>;

/** Resolves references among what the caller may see. */
export interface Neighbourhood {
  byEndpoint(key: string, apiVersionId: string | null): readonly Named[];
  skill(id: string): Named | undefined;
}

export interface Named {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
}

export function foundItem(ranked: Ranked<Findable>, around: Neighbourhood, explain: boolean): FoundItem {
  const { candidate, score, keywordScore, vectorScore, weight, parts } = ranked;
  const { kind, id, name, description } = candidate;
  const related = relatedTo(candidate, around);
  const { matched, votes, weight: factors, ...shares } = parts;
  return {
    ...{ kind, id, name, description },
    score: rounded(score),
    keywordScore: rounded(keywordScore),
    vectorScore: vectorScore === null ? null : rounded(vectorScore),
    weight: rounded(weight),
    ...(explain && {
      matched: matched.map(({ word, written, share }) => ({
        term: word,
        ...(written !== undefined && { written }),
        share: rounded(share),
        fields: [...(candidate.document.counts.get(word)?.keys() ?? [])],
      })),
      parts: { ...allRounded(shares), votes: votes.map(rounded), weight: allRounded(factors) },
    }),
    ...(related.length > 0 && { related }),
  };
}

function relatedTo({ kind, id, apiVersionId, related }: Findable, around: Neighbourhood): Related {
  // Tools relate to tools, endpoints to endpoints.
  const at = (key: string) =>
    around.byEndpoint(key, apiVersionId).filter((one) => one.kind === kind && one.id !== id);
  const dependencies = related.dependencies.flatMap(({ endpoint, relation }) =>
    at(endpoint).map((one) => ({
      ...one,
      reason: 'dependency' as const,
      ...(relation !== undefined && { relation }),
    })),
  );
  const fallbacks = related.fallback === undefined ? [] : at(related.fallback);
  const skills = related.skills.map((skill) => around.skill(skill)).filter((skill) => skill !== undefined);
  return [
    ...dependencies,
    ...fallbacks.map((one) => ({ ...one, reason: 'fallback' as const })),
    ...skills.map((one) => ({ ...one, reason: 'skill_dependency' as const })),
  ];
}

/** Rounds to six digits. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

function allRounded<Name extends string>(values: Readonly<Record<Name, number>>): Record<Name, number> {
  const entries = Object.entries<number>(values).map(([name, value]) => [name, rounded(value)] as const);
  return Object.fromEntries(entries) as Record<Name, number>;
}

export type CandidateRow = Pick<
  SearchDocument,
  | 'kind'
  | 'entity_id'
  | 'name'
  | 'description'
  | 'lifecycle_status'
  | 'semantic_weight'
  | 'read_only'
  | 'destructive'
  | 'api_version_id'
  | 'related'
  | 'words'
>;

/**
 * Cosines of the texts of a record in `search_embedding_t e`, and of the nearest of its examples. Null where they hold no word: their
 * built-in vectors are zero.
 */
export function cosineColumns(vector: string): string {
  const nearest = (of: string) =>
    `max(nullif(1 - (e.embedding <=> (SELECT ${vector}::vector)), 'NaN')) FILTER (WHERE e.source_field ${of} 'example')`;
  return `${nearest('<>')} AS cosine, ${nearest('=')} AS example_cosine`;
}

export interface CosineRow {
  readonly cosine: number | null;
  readonly example_cosine: number | null;
}

export function cosinesIn({ cosine, example_cosine: exampleCosine }: CosineRow): Cosines {
  return { cosine: cosine ?? undefined, exampleCosine: exampleCosine ?? undefined };
}

/** A candidate whose words an index has counted, with its cosines. */
export type CountedRow = Omit<CandidateRow, 'words'> & CosineRow;

/** Columns of a candidate, of `search_document_t d`. */
export const countedColumns = `d.kind, d.entity_id, d.name, d.description, d.lifecycle_status, d.semantic_weight, d.read_only,
       d.destructive, d.api_version_id, d.related`;
export const candidateColumns = `${countedColumns}, d.words`;

export function findable(row: CandidateRow): Findable {
  return { ...recordOf(row), document: documentOf(row.entity_id, row.words) };
}

/** Without its words: nothing explains what they are worth. */
export function countedFindable(row: CountedRow, counted: Counted): Findable {
  const document = { ...noWords, id: row.entity_id };
  return { ...recordOf(row), document, ...cosinesIn(row), counted };
}

/** What its words would be, had an index not counted them. */
export const noWords = documentOf('', { fields: {}, examples: [] });

/** Distinct words of a document. */
export function distinctWords({ fields, examples }: Words): ReadonlySet<string> {
  return new Set([...Object.values(fields), ...examples].flat());
}

function recordOf(row: Omit<CandidateRow, 'words'>): Omit<Findable, 'document'> {
  return {
    kind: row.kind,
    id: row.entity_id,
    name: row.name,
    description: row.description,
    apiVersionId: row.api_version_id,
    related: row.related,
    ...signalsOf(row),
  };
}

/** What a row says for and against it, beside its words. */
export function signalsOf(
  row: Pick<CandidateRow, 'semantic_weight' | 'read_only' | 'destructive' | 'lifecycle_status'>,
): RankingSignals {
  return {
    semanticWeight: row.semantic_weight,
    readOnly: row.read_only,
    destructive: row.destructive,
    ...(row.lifecycle_status !== null && { lifecycleStatus: row.lifecycle_status }),
  };
}

/** Sorts by score, then id, and cuts to the limit. */
export function bestOf(items: FoundItem[], limit: number): FoundItem[] {
  return items.sort(byScore(({ id }) => id)).slice(0, limit);
}
