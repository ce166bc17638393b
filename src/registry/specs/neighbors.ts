import { lexicalVector } from '../../../packages/ranking/lexical-vector.js';
import type { Neighbor } from './tool-lint.js';
import type { ToolSpec } from './tool-spec.js';

type Described = Pick<ToolSpec, 'name' | 'description'>;

/** Farther ones are of no use to anybody. */
const LEAST = 0.5;
const MAX_NEIGHBORS = 10;

/** Finds, for a tool, those of the others whose descriptions are most like its own. */
export function neighborsAmong(others: readonly Described[]): (tool: Described) => readonly Neighbor[] {
  const vectors = others.map(({ name, description }) => ({ name, vector: lexicalVector(description) }));
  return ({ name: own, description }) => {
    const vector = lexicalVector(description);
    return vectors
      .filter(({ name }) => name !== own)
      .map(({ name, vector: other }) => ({ name, similarity: cosine(vector, other) }))
      .filter(({ similarity }) => similarity >= LEAST)
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, MAX_NEIGHBORS);
  };
}

/** Both have length 1. */
function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}
