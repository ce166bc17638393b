import { member, type JsonObject } from '../../documents/json.js';
import type { Format } from '../format.js';

export const openapi = {
  name: 'openapi',
  apiType: 'openapi',
  title: 'OpenAPI',
  signs: 'OpenAPI 2.0 to 3.2 (`swagger` or `openapi` at the top)',
  recognise: (document) =>
    member(document, 'openapi') !== undefined || member(document, 'swagger') !== undefined,
  read: async ({ value }, context) => {
    const { readOpenApi } = await import('./read-openapi.js');
    return readOpenApi(value as JsonObject, context);
  },
} as const satisfies Format;
