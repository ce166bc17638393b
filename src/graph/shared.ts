/** What other slices use of the rules, shapes and schemas of graph/. Pure. */
export { memberRows, wholeRows } from './condensed-schema.js';
export { dslAnswer } from './reading/dsl-schema.js';
export { pins, querySchemas, schemaAnswerSchema, statusAnswer, versionedSchema } from './graph.schemas.js';
export { answerText, dslText, responseFormatText, schemaText, toonText } from './answering/llm-text.js';
export { type GraphAnswer, graphAnswerSchema, responseFormatAnswer } from './answering/response-format.js';
export { graphPage, schemaAnswer } from './schema-answer.js';
