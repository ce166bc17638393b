import { readToolSpec, type ToolSpec } from './tool-spec.js';
import { writeToolSpec } from './write-tool-spec.js';

const spec: ToolSpec = {
  ...{ version: '1.0.0', title: 'Read file', name: 'read_file', host: 'files', owner: null },
  description: 'Reads part of a file.\nUse it when: you know its path.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string', description: 'Path' }, limit: { type: 'integer', default: 10 } },
    required: ['path'],
    additionalProperties: false,
  },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
  graphql: {
    api: 'files',
    operation: 'query ($p: ID!) { file(path: $p) { text } }',
    variables: { p: '$path' },
  },
  composite: null,
  examples: [{ prompt: 'Show a: b', arguments: { path: 'a' } }],
};

describe('a spec that is written', () => {
  it.each<[what: string, changed: Partial<ToolSpec>, isShort: boolean]>([
    ['with parameters', {}, true],
    [
      'that takes anything else too',
      { inputSchema: { ...spec.inputSchema, additionalProperties: true } },
      false,
    ],
    [
      'with bounds',
      { inputSchema: { type: 'object', properties: { path: { type: 'string', minLength: 1 } } } },
      false,
    ],
    ['with an empty list of what is required', { inputSchema: { ...spec.inputSchema, required: [] } }, false],
    [
      'without parameters',
      {
        graphql: null,
        examples: [],
        inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      },
      true,
    ],
    [
      'of one tool over several operations',
      {
        graphql: null,
        inputSchema: {
          type: 'object',
          oneOf: [
            { properties: { mode: { const: 'read' }, path: { type: 'string' } }, required: ['mode', 'path'] },
          ],
        },
        composite: {
          by: 'mode',
          alternatives: [
            {
              when: 'read',
              steps: [
                {
                  id: 'file',
                  endpoint: { api: 'files', endpoint: '/files@get', arguments: { path: '$path' } },
                  needs: ['id'],
                },
                {
                  id: 'text',
                  graphql: {
                    api: 'files@2',
                    operation: 'query ($p: ID!) { file(path: $p) { text } }',
                    variables: { p: '$file.id' },
                  },
                },
              ],
            },
          ],
        },
        examples: [],
      },
      false,
    ],
    [
      'whose name is no identifier',
      { inputSchema: { ...spec.inputSchema, properties: { path: {}, 'a: "b"': { type: 'null' } } } },
      false,
    ],
  ])('%s is read as the same', (_what, changed, isShort) => {
    const given = { ...spec, ...changed };
    const text = writeToolSpec(given);
    expect(readToolSpec({ path: '', text })).toMatchObject({ value: given, faults: [] });
    expect(text.includes('parameters:')).toBe(isShort);
  });
});
