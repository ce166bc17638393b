import type { JSONSchema } from 'json-schema-to-ts';
import { objectOf, uuid } from '../../platform/http/schemas.js';
import { specGrades } from '../../registry/shared.js';
import { toolExampleId } from '../tool/tool.schemas.js';
import { knownVersion } from './version-answers.schemas.js';

const string = { type: 'string' } as const;
const textOrNull = { type: ['string', 'null'] } as const;
const objectOrNull = { type: ['object', 'null'] } as const;
/** RFC 6901, in the spec of the version. */
const pointer = { ...string, description: 'RFC 6901, in the spec of the version.' } as const;

/** What lies between two versions of a tool. */
export const differences = {
  against: {
    ...textOrNull,
    description: 'The version that it is compared with; null where there is none.',
  },
  grade: { ...string, enum: specGrades, description: 'The worst of the findings.' },
  numberFault: {
    ...textOrNull,
    description: 'Why its number is too small a step; null where it will do.',
  },
  findings: {
    type: 'array',
    description: 'What it changes for those who call it, the worst first.',
    items: {
      title: 'SpecFinding',
      type: 'object',
      required: ['rule', 'grade', 'pointer'],
      properties: {
        rule: string,
        grade: { ...string, enum: specGrades },
        pointer,
        before: {},
        after: {},
        accepted: { type: 'object' },
      },
    },
  },
  texts: {
    type: 'array',
    description: 'Every text that differs, those in the schemas too; null where there is none.',
    items: objectOf({ pointer, before: textOrNull, after: textOrNull }),
  },
  schemas: {
    title: 'ComparedSchemas',
    description: 'The schemas before and now, whole.',
    ...objectOf({
      input: objectOf({ before: objectOrNull, after: objectOrNull }),
      output: objectOf({ before: objectOrNull, after: objectOrNull }),
    }),
  },
} as const satisfies Readonly<Record<string, JSONSchema>>;

export const versionDiffAnswer = {
  title: 'VersionDiff',
  ...objectOf({ toolId: uuid, name: string, toolVersion: knownVersion, ...differences }),
} as const satisfies JSONSchema;

const schema = {
  type: 'object',
  properties: { accountNo: { type: 'string', description: 'Its number.' } },
} as const;

export const differencesExample = {
  ...{ against: '1.0.0', grade: 'breaking', numberFault: null },
  findings: [
    {
      ...{ rule: 'input.required.narrower', grade: 'breaking', pointer: '/inputSchema/required' },
      ...{ before: [], after: ['accountNo'] },
    },
  ],
  texts: [
    { pointer: '/description', before: 'Shows a balance.', after: 'Shows the balance of one account.' },
  ],
  schemas: {
    input: { before: schema, after: { ...schema, required: ['accountNo'] } },
    output: { before: null, after: null },
  },
} as const;

export const versionDiffExample = {
  ...{ toolId: toolExampleId, name: 'getAccountByNo', toolVersion: '2.0.0' },
  ...differencesExample,
} as const;
