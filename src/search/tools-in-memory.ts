/** Search among tools that are in memory: by words alone, nothing of them has a vector. Pure. */
import { rank } from '../../packages/ranking/rank.js';
import { statisticsOf } from '../../packages/ranking/statistics.js';
import { RuleBroken } from '../eventsourcing/errors.js';
import { findable, type CandidateRow } from './candidate-rows.js';
import { neighbourhoodOf } from './catalog-documents.js';
import { foundItem } from './found.js';
import type { SearchAnswer, SearchBody } from './search.schemas.js';

/** Tools of a host that are taken into memory to be searched. */
export const mostTools = 20_000;

export function toolsInMemory(rows: readonly CandidateRow[]): (question: SearchBody) => SearchAnswer {
  const tools = rows.map((row) => findable(row, undefined));
  const statistics = statisticsOf(tools.map(({ document }) => document));
  return ({ prompt, limit, explain }) => {
    const best = rank(prompt, tools, statistics).slice(0, limit);
    const items = best.map((ranked) => foundItem(ranked, neighbourhoodOf([]), explain));
    return { items, degraded: ['vectors'] };
  };
}

export function tooManyTools(): RuleBroken {
  return new RuleBroken(
    'too_many_tools',
    `There are more than ${String(mostTools)} tools to ask. Name an agent (agentDefId), a serviceId or an envTag.`,
  );
}
