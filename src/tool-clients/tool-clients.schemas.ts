import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { languages } from '../../packages/tool-clients/tool-interface.js';
import { text, uuid } from '../platform/http/schemas.js';

/** Language that clients are generated in. */
export const language = { type: 'string', enum: languages } as const;

export const clientsQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    format: {
      type: 'string',
      enum: ['tar', 'zip', 'json'],
      default: 'tar',
      description: 'tar, zip: the package as an archive. json: its files as texts, its modules and warnings.',
    },
    apiVersionId: { ...uuid, description: 'Of this API version alone.' },
    envTag: { ...text(128), description: 'Of this environment alone, and what serves every one.' },
  },
} as const satisfies JSONSchema;
export type ClientsQuery = FromSchema<typeof clientsQuery>;

const texts = { type: 'object', additionalProperties: { type: 'string' } } as const;
const ofTool = { tool: { type: 'string' }, version: { type: 'string' } } as const;

export const clientsAnswer = {
  type: 'object',
  required: ['language', 'packageVersion', 'files', 'modules', 'warnings'],
  properties: {
    language,
    packageVersion: {
      type: 'string',
      description: 'Rises with every change of a tool in it; the same for the same tools.',
    },
    files: { ...texts, description: 'The text of each file by its path.' },
    modules: {
      type: 'array',
      items: {
        title: 'ToolClientModule',
        type: 'object',
        required: ['tool', 'version', 'module', 'renamed'],
        properties: {
          ...ofTool,
          module: { type: 'string', description: 'As it is imported.' },
          renamed: { ...texts, description: 'Parameters with another name in the language, by their own.' },
        },
      },
    },
    warnings: {
      type: 'array',
      description: 'What a schema says and the package does not.',
      items: {
        title: 'ToolClientWarning',
        type: 'object',
        required: ['tool', 'version', 'pointer', 'code', 'detail'],
        properties: {
          ...ofTool,
          pointer: { type: 'string', description: 'RFC 6901, from /inputSchema or /outputSchema.' },
          code: { type: 'string', enum: ['not_checked', 'not_typed', 'replaced', 'left_out'] },
          detail: { type: 'string' },
        },
      },
    },
  },
} as const satisfies JSONSchema;
export const clientsExample = {
  language: 'python',
  packageVersion: '0.12.301975142',
  files: {
    'src/tool_registry/read_file/v0_0_2.py':
      'class ReadFileBase(_abc.ABC):\n    def execute(self, arguments: object) -> ReadFileOutput: …\n',
  },
  modules: [{ tool: 'read_file', version: '0.0.2', module: 'tool_registry.read_file.v0_0_2', renamed: {} }],
  warnings: [],
};
