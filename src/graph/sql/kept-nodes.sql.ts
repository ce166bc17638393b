/** Where nodes are read: as they are now, or at the version of their tool that an agent's catalog holds. Pure. */
import { atVersions, type Versioned } from '../../platform/database/kept-versions.js';
import type { GraphScope, KeptParams } from '../graph-scopes.service.js';
import type { NodeType } from '../ontology.types.js';
import type { Bound } from './statement.sql.js';

/** A FROM item with the nodes of a kind under this alias, whoever sees them. */
export function nodesSql(type: NodeType, alias: string, { within }: GraphScope, bound: Bound): string {
  const kept = within?.kept.get(type.name);
  if (type.kept === undefined || kept === undefined) return `${type.view} ${alias}`;
  const { ids, versions, params } = kept;
  const versioned = { present: type.view, kept: type.kept.view, id: 'id', version: type.kept.version };
  const places = bound.once(ids, 'uuid[]');
  if (params !== undefined) return `${paramsSql(versioned, places, params, bound)} ${alias}`;
  return `${atVersions(versioned, places, bound.once(versions, 'text[]'))} ${alias}`;
}

/** Params have the id of their name at every version, which is not made in SQL. */
function paramsSql(
  { present, kept, version }: Versioned,
  tools: string,
  params: KeptParams,
  bound: Bound,
): string {
  const list = [
    bound.once(params.ids, 'uuid[]'),
    bound.once(params.toolIds, 'uuid[]'),
    bound.once(params.versions, 'text[]'),
    bound.once(params.names, 'text[]'),
  ];
  return `(SELECT * FROM ${present} WHERE tool_id <> ALL (${tools})
    UNION ALL
    SELECT v.host_id, k.id, v.name, v.tool_id, v.type, v.required, v.description, v.order_index, v.service_id, v.env_tag,
           v.sensitivity_tier, v.param_type
    FROM ${kept} v
    JOIN unnest(${list.join(', ')}) k (id, tool_id, version, name)
      ON v.tool_id = k.tool_id AND v.${version} = k.version AND v.name = k.name)`;
}
