/** From ranked candidates to the items of an answer. Pure. */
import type { Candidate, Ranked } from '../../packages/ranking/rank.js';
import type { Kind, Relations } from './search-document.js';
import type { FoundItem } from './search.schemas.js';

export interface Findable extends Candidate {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Of an endpoint, or of the one behind a tool. */
  readonly apiVersionId: string | null;
  readonly related: Relations;
}

export type Related = NonNullable<FoundItem['related']>;

/** Of what the asker may see: what has this endpoint key where that API version names it, or is this skill. */
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
  const { matched, ...factors } = parts;
  return {
    ...{ kind, id, name, description },
    score: rounded(score),
    keywordScore: rounded(keywordScore),
    vectorScore: vectorScore === null ? null : rounded(vectorScore),
    weight: rounded(weight),
    ...(explain && {
      matched: matched.map(({ word, written }) => ({
        term: word,
        ...(written !== undefined && { written }),
        fields: [...(candidate.document.counts.get(word)?.keys() ?? [])],
      })),
      parts: factors,
    }),
    ...(related.length > 0 && { related }),
  };
}

function relatedTo({ kind, id, apiVersionId, related }: Findable, around: Neighbourhood): Related {
  // A tool is followed by tools, an endpoint by endpoints.
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

/** Six digits say more than any ranking can mean. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;
