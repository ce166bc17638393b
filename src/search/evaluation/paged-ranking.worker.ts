import { serveSteps } from '../../platform/work/bounded-process.js';
import { carriedOut, PagedRanking, type RankingStep } from './paged-ranking.js';

/** That of this process, which is there for one evaluation. */
const ranking = new PagedRanking(() => performance.now());

serveSteps((step: RankingStep) => carriedOut(ranking, step));
