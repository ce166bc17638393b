import { acceptedFindingsSchema, evalConfigSchema, toolSpecSchema } from './tool-spec.schema.js';

/** The formats of a registry's files, by the name under which editors find them. */
export const publishedSchemas = {
  'tool-spec': toolSpecSchema,
  'tool-evaluation': evalConfigSchema,
  'accepted-findings': acceptedFindingsSchema,
} as const;

/** Path in the repository, and the text that is there. */
export const schemaFiles = Object.entries(publishedSchemas).map(([name, schema]) => ({
  path: `docs/schemas/${name}.schema.json`,
  text: `${JSON.stringify(schema, null, 2)}\n`,
}));
