import { responseFormatVersion } from './answer.types.js';
import { dslAnswer } from './dsl-schema.js';
import { queryLanguageVersion } from './query.schema.js';
import { responseFormatAnswer } from './response-format.js';
import { schemaAnswer } from './schema-answer.js';

const toolId = '0192f0c4-9b21-7e32-8a4d-2e3f4d5c6b7a';
const skillId = '0192f0c4-8a10-7d21-9b3c-1f2e3d4c5b60';

export const queryExample = {
  query: {
    query_type: 'traversal',
    nodes: [
      { id: 's', entity: 'Skill', columns: ['name'] },
      { id: 't', entity: 'Tool', columns: ['name'], filters: { destructive: true } },
    ],
    relationships: [{ type: 'USES_TOOL', from: 's', to: 't' }],
    order_by: 't.name',
  },
};

export const graphAnswerExample = {
  format_version: responseFormatVersion,
  query_type: 'traversal',
  nodes: [
    { type: 'Skill', id: skillId, name: 'Account clean-up' },
    { type: 'Tool', id: toolId, name: 'deleteAccount' },
  ],
  edges: [{ from: 'Skill', from_id: skillId, to: 'Tool', to_id: toolId, type: 'USES_TOOL' }],
  pagination: { has_more: false, page_rows: 1, total_rows: 1 },
};

export const schemaExample = schemaAnswer({ expand_nodes: ['ToolParam'] });
export const dslExample = { ...dslAnswer(), schema: { type: 'object' } };
export const responseFormatExample = { ...responseFormatAnswer(), schema: { type: 'object' } };

export const statusExample = {
  format: 'portal_catalog.status.v1',
  revision: `${queryLanguageVersion}#0f1e2d3c4b5a`,
  queryLanguage: queryLanguageVersion,
  responseFormat: responseFormatVersion,
  position: 57,
  node_types: [{ name: 'Tool', count: 12 }],
  limits: { rows: 1000, rowsForModels: 30 },
};
