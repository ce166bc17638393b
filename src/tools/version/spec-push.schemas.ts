import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { line, text } from '../../platform/http/schemas.js';
import { toolName } from '../tool/tool.schemas.js';
import { accepted, MAX_FILE, versionReceipt } from './version-answers.schemas.js';

const file = text(MAX_FILE);

export const specPush = {
  type: 'object',
  additionalProperties: false,
  required: ['specText'],
  properties: {
    specText: { ...file, description: 'The file of the spec, byte for byte: it is kept as it is.' },
    evalConfigText: { ...file, description: 'The file that says how it is evaluated; none where left out.' },
    accepted,
    envTag: {
      ...line(64),
      description:
        'The environment of the tool, where one is made or several have the name: compared with the claim env. Left out: every environment.',
    },
    dryRun: {
      type: 'boolean',
      default: false,
      description: 'Says what would become of it, and writes nothing.',
    },
  },
} as const satisfies JSONSchema;
export type SpecPush = FromSchema<typeof specPush>;

export const pushOutcomes = ['new_tool', 'new_version', 'rewritten', 'unchanged'] as const;

export const pushReceipt = {
  title: 'SpecPush',
  type: 'object',
  required: [...versionReceipt.required, 'name', 'outcome'],
  properties: {
    ...versionReceipt.properties,
    name: toolName,
    outcome: {
      type: 'string',
      enum: pushOutcomes,
      description: 'What the push has made of it; `rewritten`: a draft that was there.',
    },
  },
} as const satisfies JSONSchema;
