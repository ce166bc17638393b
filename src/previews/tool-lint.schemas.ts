import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { lintRules } from '../registry/shared.js';

export const lintBody = {
  type: 'object',
  additionalProperties: false,
  required: ['spec'],
  properties: {
    spec: {
      description:
        'One version of a tool, as tools/specs has it: YAML or JSON as a text, or the object itself.',
      anyOf: [{ type: 'string', minLength: 1, maxLength: 131_072 }, { type: 'object' }],
    },
  },
} as const satisfies JSONSchema;
export type LintBody = FromSchema<typeof lintBody>;

const place = {
  line: { type: 'integer', minimum: 1, description: 'From 1, in the text; of an object, 1.' },
  pointer: { type: 'string', description: 'RFC 6901, in the spec.' },
} as const;
const string = { type: 'string' } as const;

export const lintAnswer = {
  type: 'object',
  required: ['faults', 'findings', 'neighbors'],
  properties: {
    digest: { ...string, description: 'Of what the spec says; left out where it has faults.' },
    faults: {
      type: 'array',
      description: 'Why it is no spec. Where there are any, nothing else is looked at.',
      items: {
        title: 'SpecFault',
        type: 'object',
        required: ['rule', 'line', 'pointer', 'detail'],
        properties: { rule: string, ...place, detail: string },
      },
    },
    findings: {
      type: 'array',
      description: 'What models will get wrong, each with a better example.',
      items: {
        title: 'LintFinding',
        type: 'object',
        required: ['rule', 'line', 'pointer', 'reason', 'example', 'stopsReview'],
        properties: {
          rule: { ...string, enum: lintRules },
          ...place,
          ...{ reason: string, example: string },
          stopsReview: { type: 'boolean', description: 'Whether a review asks for it to be mended.' },
        },
      },
    },
    neighbors: {
      type: 'array',
      description: 'Tools of the host that are described most like it, nearest first.',
      items: {
        title: 'ToolNeighbor',
        type: 'object',
        required: ['name', 'similarity'],
        properties: { name: string, similarity: { type: 'number', minimum: 0, maximum: 1 } },
      },
    },
  },
} as const satisfies JSONSchema;
export type LintAnswer = FromSchema<typeof lintAnswer>;

export const lintExample = {
  body: {
    spec: 'version: 1.0.0\nname: get_issue\ndescription: Gets an issue.\ninputSchema: { type: object }\noutputSchema: { type: object }\n',
  },
  answer: {
    digest: 'sha256:0d5b0aa3a1a0a4dd7e1d4dfc0ec9a3dd4d6a9a1b9d1b5f0f6f4d1d8f0a7a9c11',
    faults: [],
    findings: [
      {
        ...{ rule: 'description_vague', line: 3, pointer: '/description' },
        reason: 'Models choose by the description; so few words do not tell the tool from others.',
        example: 'Gets an issue. Use it when … is known. Does not …; list_issue does.',
        stopsReview: true,
      },
    ],
    neighbors: [],
  },
} as const satisfies { body: LintBody; answer: LintAnswer };
