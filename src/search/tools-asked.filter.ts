import type { Caller } from '../platform/auth/caller.js';
import { visibilityOf } from '../platform/auth/visibility.js';
import type { Conditions } from '../platform/database/conditions.js';
import type { EvaluationScope } from './evaluated-catalog.js';
import { askedDocuments, visibleDocuments } from './search-documents.filter.js';

/** The tools that a run over a host may find: conditions on `search_document_t d`, or on what has its columns. */
export function toolsAsked(caller: Caller, { serviceId, envTag }: EvaluationScope): Conditions {
  return askedDocuments(visibleDocuments(visibilityOf(caller)), {
    ...{ prompt: '', kinds: ['tool'], limit: 10, explain: false },
    ...(serviceId !== undefined && { serviceId }),
    ...(envTag !== undefined && { envTag }),
  });
}
