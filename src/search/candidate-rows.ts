/** Rows of the database as the ranking takes them. Pure. */
import { documentOf } from '../../packages/ranking/document.js';
import type { Findable } from './found.js';
import type { SearchDocument } from './search-document.js';

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

/** Its columns, of `search_document_t d`. */
export const candidateColumns = `d.kind, d.entity_id, d.name, d.description, d.lifecycle_status, d.semantic_weight, d.read_only,
       d.destructive, d.api_version_id, d.related, d.words`;

export function findable(row: CandidateRow, cosine: number | undefined): Findable {
  return {
    kind: row.kind,
    id: row.entity_id,
    name: row.name,
    description: row.description,
    apiVersionId: row.api_version_id,
    related: row.related,
    document: documentOf(row.entity_id, row.words),
    cosine,
    semanticWeight: row.semantic_weight,
    readOnly: row.read_only,
    destructive: row.destructive,
    ...(row.lifecycle_status !== null && { lifecycleStatus: row.lifecycle_status }),
  };
}
