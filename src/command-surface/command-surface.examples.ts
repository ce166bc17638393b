/** Examples of the command surface in the documents. */
export const listedCommandExample = {
  name: 'get_query_dsl',
  summary: 'The query language as a JSON Schema',
  description: 'The full grammar of query_graph, with its semantic version.',
  parameters: { type: 'object', additionalProperties: false, properties: {} },
  result: { type: 'object' },
  scope: ['catalog:agent', 'catalog:read'],
  execution: 'direct',
};
