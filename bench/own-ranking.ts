import { analyse, documentOf } from '../packages/ranking/document.js';
import { askedOf, type Cosines, rank } from '../packages/ranking/rank.js';
import { toolSearchable } from '../packages/ranking/tool-texts.js';
import { WordIndex } from '../packages/ranking/word-index.js';
import { searchWords } from '../packages/ranking/word-search.js';
import { builtInVector } from '../src/search/embeddings/built-in.provider.js';
import type { Worths } from '../packages/ranking/worths.js';
import type { Search, Tool } from './retrieval-sets.js';

/** Best by words whose built-in vectors are compared: those asked for and what the service takes beside them. */
const REFINED = 30;

/** The ranking of the service: the index finds the best by words, and the built-in vectors refine them. */
export function ownRanking(tools: readonly Tool[]): (worths?: Worths) => Search {
  const index = new WordIndex();
  const vectors = new Map<string, readonly Float32Array[]>();
  for (const { id, name, description, schema, examples = [] } of tools) {
    const searchable = toolSearchable({
      ...{ toolId: id, name, description, inputSchema: schema },
      ...{ routingMetadata: {}, examplePrompts: examples },
    });
    index.put(id, analyse(searchable), { informational: 1, other: 1 });
    const text = Object.values(searchable.texts).slice(0, 4).join('\n');
    vectors.set(id, [text, ...examples].map(unitVector));
  }
  const marked = Uint8Array.from(index.ids, () => 1);
  const statistics = index.statisticsOf(marked);
  return (worths) => (prompt) => {
    const asked = askedOf(prompt, statistics, worths);
    const found = searchWords(index, { asked, statistics, marked, limit: REFINED });
    const vector = unitVector(prompt);
    const candidates = found.map(({ id, counted }) => ({
      ...{ document: documentOf(id, { fields: {}, examples: [] }), counted },
      ...cosinesOf(vector, vectors.get(id) ?? []),
    }));
    return rank(asked, candidates, statistics)
      .slice(0, 10)
      .map(({ candidate }) => candidate.document.id);
  };
}

function cosinesOf(vector: Float32Array, [own, ...examples]: readonly Float32Array[]): Cosines {
  const cosine = own === undefined ? undefined : dot(vector, own);
  if (examples.length === 0) return { cosine };
  return { cosine, exampleCosine: Math.max(...examples.map((example) => dot(vector, example))) };
}

function unitVector(text: string): Float32Array {
  const vector = builtInVector(text);
  const length = Math.hypot(...vector) || 1;
  return vector.map((each) => each / length);
}

function dot(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, each, at) => sum + each * (other[at] ?? 0), 0);
}
