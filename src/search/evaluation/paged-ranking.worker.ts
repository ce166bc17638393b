import { carriedOut, PagedRanking, type RankingStep } from './paged-ranking.js';

/** That of this thread, which is there for one evaluation. */
const ranking = new PagedRanking(() => performance.now());

export default (step: RankingStep): unknown => carriedOut(ranking, step);
