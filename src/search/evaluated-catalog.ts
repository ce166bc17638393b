import type { ToolSource } from './search-document.rows.js';
import type { SearchAnswer, SearchBody } from './search.schemas.js';

/** What narrows a run beside the token. */
export interface EvaluationScope {
  readonly serviceId?: string | undefined;
  readonly envTag?: string | undefined;
}

/** What a run asks. */
export interface EvaluatedCatalog {
  /** How far its log goes. */
  readonly position: number;
  readonly search: (question: SearchBody) => SearchAnswer | Promise<SearchAnswer>;
  /** The tools that may be found, to be asked their own prompts. */
  readonly tools: () => readonly ToolSource[] | Promise<readonly ToolSource[]>;
}
