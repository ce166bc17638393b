import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import {
  line,
  objectOf,
  receiptAnswer,
  receiptProperties,
  semanticVersion,
  text,
  uuid,
} from '../../platform/http/schemas.js';
import { rangePattern } from '../../registry/shared.js';
import { accessLevels, linkConfig } from '../links/skill-tool.rules.js';
import { workflowRole, workflowTerms } from '../links/skill-workflow.rules.js';
import { skillText } from '../skill.fields.js';

export const documentVersion = '1.0';

const names = { type: 'array', maxItems: 100, uniqueItems: true, items: text(126) } as const;
/** Left out, they stay as they are: no default. */
const { name, description, contentMarkdown } = skillText;
const version = semanticVersion;

/** A skill as a document: all that it refers to by the names that it has outside this catalog. */
export const skillDocument = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'contentMarkdown'],
  properties: {
    formatVersion: { type: 'string', const: documentVersion, default: documentVersion },
    name,
    description,
    version,
    contentMarkdown,
    parentSkill: {
      type: ['string', 'null'],
      maxLength: 126,
      description: 'Name of the skill above; null for none.',
    },
    categories: { ...names, description: 'Names of categories of skills, of the host or global.' },
    tags: { ...names, description: 'Names of tags of skills, of the host or global.' },
    tools: {
      type: 'array',
      maxItems: 500,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name'],
        properties: {
          name: text(64),
          endpoint: {
            type: 'object',
            additionalProperties: false,
            required: ['apiId', 'apiVersion', 'key'],
            properties: { apiId: text(126), apiVersion: text(126), key: text(1024) },
            description: 'The endpoint behind the tool: looked for before the name is.',
          },
          accessLevel: { type: 'string', enum: accessLevels },
          range: {
            type: 'string',
            pattern: rangePattern,
            description:
              'Which versions of the tool agents are given with this skill, where that is not the newest of its present major.',
          },
          config: { ...linkConfig, default: {} },
        },
      },
    },
    workflows: {
      type: 'array',
      maxItems: 100,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['namespace', 'name', 'version', 'workflowRole'],
        properties: {
          namespace: text(126),
          name: text(126),
          version: text(64),
          workflowRole,
          ...workflowTerms,
        },
      },
    },
    dependsOn: {
      type: 'array',
      maxItems: 100,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['skill', 'required'],
        properties: { skill: line(126), required: { type: 'boolean' } },
      },
    },
  },
} as const satisfies JSONSchema;
export type SkillDocument = FromSchema<typeof skillDocument>;

/** Formats that a skill is exported in. */
export const exportFormats = ['json', 'yaml', 'skill-md', 'zip', 'tar'] as const;
export const exportQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    format: {
      type: 'string',
      enum: exportFormats,
      default: 'json',
      description:
        'json, yaml: the structured document. skill-md: the text of SKILL.md. zip, tar: its folder.',
    },
  },
} as const satisfies JSONSchema;
export type ExportQuery = FromSchema<typeof exportQuery>;

const importOptions = {
  createTaxonomy: {
    type: 'boolean',
    default: false,
    description: 'Whether categories and tags that the document names and the host has not are made.',
  },
  dryRun: {
    type: 'boolean',
    default: false,
    description: 'Whether to answer what the import would do, or be refused for, and write nothing.',
  },
} as const;
export const importQuery = {
  type: 'object',
  additionalProperties: false,
  properties: importOptions,
} as const satisfies JSONSchema;
export type ImportOptions = FromSchema<typeof importQuery>;

/** The JSON body of an import: the document, or the files of a folder. */
export const importBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...importOptions,
    document: {
      type: ['string', 'object'],
      minLength: 1,
      description: 'A structured document as an object, or as YAML or JSON text; or the text of a SKILL.md.',
    },
    files: {
      type: 'array',
      minItems: 1,
      maxItems: 512,
      description: 'In place of `document`: the folder of a skill, with its SKILL.md.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['path'],
        properties: {
          path: text(255),
          content: { type: 'string', description: 'UTF-8 text.' },
          base64: {
            type: 'string',
            pattern: '^[A-Za-z0-9+/]*={0,2}$',
            description: 'In place of `content`.',
          },
        },
      },
    },
  },
} as const satisfies JSONSchema;
export type ImportBody = FromSchema<typeof importBody>;

const namedTool = objectOf({
  toolId: uuid,
  name: { type: 'string' },
  apiId: { type: ['string', 'null'], description: 'Null of a tool without an API.' },
  apiVersion: { type: ['string', 'null'] },
});

export const importAnswer = {
  type: 'object',
  required: [
    ...receiptAnswer.required,
    'created',
    'name',
    'tools',
    'unresolved',
    'taxonomyCreated',
    'warnings',
  ],
  properties: {
    ...receiptProperties,
    created: { type: 'boolean', description: 'False: a skill of this name was there, and was changed.' },
    name: { type: 'string' },
    tools: {
      type: 'array',
      description: 'The tools that the document refers to.',
      items: {
        type: 'object',
        required: [...namedTool.required, 'linked'],
        properties: {
          ...namedTool.properties,
          linked: { type: 'boolean', description: 'Whether the link is new; else it was there.' },
        },
      },
    },
    taxonomyCreated: {
      type: 'array',
      description: 'Categories and tags that are made, only with createTaxonomy.',
      items: objectOf({ kind: { type: 'string', enum: ['category', 'tag'] }, name: { type: 'string' } }),
    },
    unresolved: {
      type: 'array',
      description: 'What the document refers to and the catalog does not have, or the token does not cover.',
      items: objectOf(
        {
          kind: { type: 'string', enum: ['tool', 'workflow', 'skill', 'category', 'tag'] },
          reference: { type: 'string' },
          reason: { type: 'string', enum: ['not_found', 'ambiguous'] },
          choices: {
            type: 'array',
            description: 'The tools that an ambiguous name may mean; `<apiId>/<name>` names one of them.',
            items: namedTool,
          },
        },
        ['choices'],
      ),
    },
    warnings: {
      type: 'array',
      description:
        'What is taken in and should be looked at, of each kind 100: `hidden_file`, `nested_skill`, `name_nonstandard`, ' +
        '`folder_name_differs`, `description_missing`, `description_too_long`, `frontmatter_mended`, `link_broken`, `link_outside`, ' +
        '`finding_accepted`.',
      items: objectOf({
        code: { type: 'string' },
        pointer: {
          type: 'string',
          description: 'The path of the file, as a JSON Pointer; of a link with its line and target behind.',
        },
        detail: { type: 'string' },
      }),
    },
  },
} as const satisfies JSONSchema;
export type Unresolved = FromSchema<typeof importAnswer>['unresolved'][number];
