import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { smallTextLimits } from '../../documents/limits.js';
import { acceptedOfTool, evalConfigSchema, specVersion } from '../../registry/shared.js';
import { dateTime, listProperties, receiptProperties, text, uuid } from '../../platform/http/schemas.js';
import { operatorProperties } from '../../endpoints/shared.js';
import { toolExampleId } from '../tool/tool.schemas.js';
import { inputSchema, toolName } from '../tool/tool.schemas.js';
import { versionStates } from '../model/tool.state.js';

const line = { type: 'string' } as const;
const objectOrNull = { type: ['object', 'null'] } as const;

/** A number that is there already, to be read and retired: there may be some from before {@link specVersion} had a last one. */
export const knownVersion = {
  type: 'string',
  maxLength: 100,
  pattern: '^\\d[\\de+]*(\\.\\d[\\de+]*){2}$',
} as const;

/** Versions of one page: of each its content is read, which its digest is made of. */
export const MAX_LISTED = 100;

export const versionsQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: MAX_LISTED, default: MAX_LISTED },
    cursor: listProperties.cursor,
  },
} as const satisfies JSONSchema;
export type VersionsQuery = Partial<FromSchema<typeof versionsQuery>>;

const summary = {
  toolId: uuid,
  name: toolName,
  version: knownVersion,
  state: {
    type: 'string',
    enum: versionStates,
    description: 'Agents are given approved and deprecated versions, and no other.',
  },
  origin: {
    type: ['string', 'null'],
    enum: ['spec', 'source', null],
    description:
      '`spec`: it was written as a version. `source`: a document or a change of the tool brought it, and it waited. Null: it was ' +
      'given to agents as it came.',
  },
  isPresent: {
    type: 'boolean',
    description: 'Whether it is what agents are given unless a link keeps to another version.',
  },
  digest: { type: 'string', description: 'Hex SHA-256 over the canonical JSON of name and content.' },
  author: { type: 'string', description: 'Who wrote it last.' },
  authors: {
    type: 'array',
    items: line,
    description:
      'All who have written on it, or on what it continues that nobody approved; somebody else approves it.',
  },
  deprecation: {
    ...objectOrNull,
    description:
      '{on, message, overdue?}: the day from which it may be retired, what to take instead, and whether that day has passed.',
  },
  callFault: {
    ...objectOrNull,
    description: '{code, details}: why its operation does not fit the schema of its API any more.',
  },
  evaluation: {
    ...objectOrNull,
    description: '{passed, digest, at, …}: the last evaluation, and of which content.',
  },
  review: {
    ...objectOrNull,
    description:
      '{by, at, reason?, withdrawn?, override?}: who approved, rejected, withdrew or retired it, and on what grounds.',
  },
  override: {
    ...objectOrNull,
    description:
      '{reason, by, at}: why it was approved without an evaluation that passed, or by its author; kept whatever becomes of it.',
  },
  position: { type: 'integer' },
  updateTs: dateTime,
  updateUser: line,
} as const;

const summaryMembers = Object.keys(summary) as readonly (keyof typeof summary)[];

export const listedVersion = {
  title: 'ToolVersion',
  type: 'object',
  required: summaryMembers,
  properties: summary,
} as const satisfies JSONSchema;

export const accepted = {
  ...acceptedOfTool,
  description: 'Changes of the tool that the number need not be raised for, until a day.',
} as const;

export const versionAnswer = {
  title: 'ToolVersionDetails',
  type: 'object',
  required: [
    ...[...summaryMembers, 'content', 'specText', 'title', 'owner', 'examples'],
    ...['evalConfig', 'evalConfigText', 'accepted'],
  ],
  properties: {
    ...summary,
    content: {
      type: 'object',
      description: 'Description, routing, safety, schemas and params: what it is made of.',
    },
    specText: { type: ['string', 'null'], description: 'The spec as it was pushed.' },
    title: {
      ...line,
      description: 'As its spec says it, or the last before it that was pushed; else the name of the tool.',
    },
    owner: { type: ['string', 'null'], description: 'Likewise: who answers for it.' },
    examples: {
      type: 'array',
      description: 'Likewise: prompts that should lead to the tool, and calls with their arguments.',
      items: { type: 'object' },
    },
    evalConfig: { ...objectOrNull, description: 'What it is evaluated by, where that is kept with it.' },
    evalConfigText: { type: ['string', 'null'], description: 'The file that says so, as it was pushed.' },
    accepted: { ...accepted, description: 'Changes that its number was not raised for.' },
  },
} as const satisfies JSONSchema;

/** Length of a file that is kept with a version: it is read on the main thread. */
export const MAX_FILE = smallTextLimits.bytes;

const { $schema: _, title: __, ...config } = evalConfigSchema;
export const evalConfig = { ...config, title: 'EvalConfig' } as const;

/** Of a version that is written by hand. */
export const newVersion = {
  type: 'object',
  additionalProperties: false,
  required: ['version', 'description', 'inputSchema'],
  properties: {
    version: {
      ...specVersion,
      description: `${specVersion.description} At least as high as the change asks for.`,
    },
    description: text(8000),
    inputSchema,
    outputSchema: { type: ['object', 'null'], description: 'JSON Schema 2020-12 of the result.' },
    safety: operatorProperties.safety,
    evalConfig: { ...evalConfig, description: 'What it is evaluated by before it is approved.' },
    evalConfigText: {
      ...text(MAX_FILE),
      description: 'The same as a file, byte for byte: it is kept as it is. It may stand alone.',
    },
    accepted,
  },
} as const satisfies JSONSchema;
export type NewVersion = FromSchema<typeof newVersion>;

const reason = { ...text(2000), minLength: 1 } as const;

export const withdrawalBody = {
  type: 'object',
  additionalProperties: false,
  properties: { reason },
} as const satisfies JSONSchema;
export type WithdrawalBody = FromSchema<typeof withdrawalBody>;

export const dryRun = {
  type: 'boolean',
  default: false,
  description: 'Answers what it would move, and writes nothing.',
} as const;

export const deprecationBody = {
  type: 'object',
  additionalProperties: false,
  required: ['on', 'message'],
  properties: {
    on: { type: 'string', format: 'date', description: 'The day from which it may be retired.' },
    message: { ...reason, description: 'For agents: what to take instead.' },
    dryRun,
  },
} as const satisfies JSONSchema;
export type DeprecationBody = FromSchema<typeof deprecationBody>;

export const retirementBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    reason: {
      ...reason,
      description:
        'Retires it although links take it: those go back to an older version, or their tools are withheld.',
    },
    dryRun,
  },
} as const satisfies JSONSchema;
export type RetirementBody = FromSchema<typeof retirementBody>;

export const versionReceipt = {
  type: 'object',
  required: ['id', 'version', 'position', 'changed', 'toolVersion', 'state'],
  properties: {
    ...receiptProperties,
    toolVersion: { ...knownVersion, description: 'The version that was written on.' },
    state: summary.state,
  },
} as const satisfies JSONSchema;

export const versionReceiptExample = {
  ...{ id: toolExampleId, version: 3, position: 15, changed: true },
  ...{ toolVersion: '2.0.0', state: 'approved' },
} as const;

export const listedVersionExample = {
  ...{
    toolId: toolExampleId,
    name: 'getAccountByNo',
    version: '2.0.0',
    state: 'in_review',
    origin: 'spec',
    isPresent: false,
  },
  ...{
    digest: 'b0'.repeat(32),
    author: 'ada',
    authors: ['ada'],
    deprecation: null,
    callFault: null,
    evaluation: null,
    review: null,
    override: null,
  },
  ...{ position: 14, updateTs: '2026-03-01T12:00:00.000Z', updateUser: 'ada' },
} as const;
