import type { JSONSchema } from 'json-schema-to-ts';
import { changeGrades, reachAnswer } from '../endpoints/shared.js';
import { objectOf, uuid } from '../platform/http/schemas.js';
import { withheldTools } from '../tools/shared.js';

export const changes = ['added', 'changed', 'unchanged', 'reactivated', 'deactivated'] as const;
export type EndpointChange = (typeof changes)[number];

const text = { type: 'string' } as const;
const textOrNull = { type: ['string', 'null'] } as const;
const count = { type: 'integer', minimum: 0 } as const;

export const importReport = {
  title: 'ImportReport',
  type: 'object',
  required: [
    ...['format', 'formatVersion', 'total', 'added', 'changed', 'unchanged', 'deactivated'],
    ...['reactivated', 'unpublished', 'items', 'reach', 'withheld', 'operations', 'warnings', 'conflicts'],
    ...['position', 'apiVersion', 'inReview'],
  ],
  properties: {
    apiVersionId: { ...uuid, description: 'Left out where a dry run would make the version.' },
    apiId: { ...text, description: 'Left out where a dry run would make the version.' },
    apiVersion: { ...text, description: 'The version that the document went into.' },
    format: text,
    formatVersion: text,
    total: { ...count, description: 'Endpoints that the document holds.' },
    added: count,
    changed: count,
    unchanged: count,
    deactivated: {
      ...count,
      description: 'Endpoints that have vanished from the document with this import.',
    },
    reactivated: { ...count, description: 'Endpoints that have come back, changed or not.' },
    published: { ...count, description: 'New tools; only with publish.' },
    leftOut: {
      type: 'array',
      description: 'Streams, which are published only by their endpointIds; only with publish.',
      items: objectOf(
        {
          endpointId: { ...uuid, description: 'Left out where a dry run would make the version.' },
          ...{ endpoint: text, name: text, code: text, detail: text },
        },
        ['endpointId'],
      ),
    },
    unpublished: {
      ...count,
      description: 'Endpoints that are offered afterwards and are no tools, streams not counted.',
    },
    tagsCreated: { ...count, description: 'New tags; only with createTags.' },
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: [
          ...['endpoint', 'name', 'change', 'fields', 'grades', 'changes', 'breaking'],
          ...['suspicious', 'held', 'enrichment', 'gaps'],
        ],
        properties: {
          endpointId: { ...uuid, description: 'Left out where a dry run would make the version.' },
          endpoint: text,
          name: { ...text, description: 'What a tool of it is called, unless the name is taken.' },
          change: { type: 'string', enum: changes },
          fields: {
            type: 'array',
            items: text,
            description: 'Dot paths of what the document says differently.',
          },
          grades: {
            type: 'object',
            description: 'Field to how its change strikes callers.',
            additionalProperties: { type: 'string', enum: changeGrades },
          },
          changes: {
            type: 'array',
            description:
              'Where the document says something else than before: at most 12 places of an endpoint, worst grade ' +
              'first, and 4,000 of an import.',
            items: objectOf(
              {
                field: { ...text, description: 'Dot path.' },
                grade: { type: 'string', enum: changeGrades },
                at: { ...text, description: 'RFC 6901, within the field.' },
                before: { ...text, description: 'Shortened; left out where it was not there.' },
                after: { ...text, description: 'Shortened; left out where it is gone.' },
              },
              ['before', 'after'],
            ),
          },
          breaking: { type: 'boolean', description: 'Whether a call that was fine before may fail now.' },
          suspicious: {
            type: 'array',
            items: text,
            description: 'Those of the fields whose change is suspicious, whether or not it breaks as well.',
          },
          held: {
            type: 'array',
            items: text,
            description:
              'Guards (dot paths) that the document loosens and that stay in force until an administrator accepts it.',
          },
          enrichment: { type: 'string', enum: ['none', 'partial', 'full'] },
          gaps: { type: 'array', items: text, description: 'Semantic fields that no layer says.' },
        },
      },
    },
    reach: {
      ...reachAnswer,
      description: 'Skills and agents that have tools of what was there and changes, comes back or goes.',
    },
    inReview: {
      type: 'array',
      description:
        'Versions of tools of this API version that wait for a review after the import, by name; agents go on with the ones ' +
        'that they have. Each is read at …/tools/{toolId}/versions/{version}/report, and GET …/tools?inReview=true lists the tools.',
      items: objectOf(
        {
          toolId: { ...uuid, description: 'Left out where a dry run would make the tool.' },
          ...{ toolName: text, version: text },
          isNew: { type: 'boolean', description: 'Whether this import has brought it.' },
        },
        ['toolId'],
      ),
    },
    withheld: withheldTools,
    operations: {
      type: 'array',
      description:
        'Versions of tools whose written operation or step the document breaks, or makes fit again. Of `operation_unfit` no call ' +
        'can succeed, and agents are not given the version; of `variables_unfit` calls may fail, by their arguments.',
      items: objectOf(
        {
          toolId: uuid,
          ...{ toolName: text, version: text, state: text },
          change: { type: 'string', enum: ['breaks', 'fits_again'] },
          grade: { type: 'string', enum: ['breaking', 'compatible'] },
          code: { type: 'string', enum: ['operation_unfit', 'variables_unfit'] },
          faults: { type: 'array', items: text },
          skills: { type: 'array', items: text, description: 'Skills whose agents are given the version.' },
        },
        ['code'],
      ),
    },
    warnings: {
      type: 'array',
      items: objectOf({ code: text, pointer: text, detail: text }),
    },
    conflicts: {
      type: 'array',
      description: 'Offers that were not taken, and names that are taken.',
      items: objectOf(
        {
          endpoint: text,
          field: text,
          kept: { description: 'The value in force.' },
          offered: { description: 'The value that was not taken.' },
          layer: { type: ['string', 'null'], description: 'The layer that offers it.' },
          code: { ...text, description: 'Where the offer is a name: why it was not taken.' },
          detail: text,
          heldBy: {
            ...objectOf({ toolId: uuid, apiId: textOrNull, apiVersion: textOrNull }),
            description: 'The tool that has the name, where the token covers it.',
          },
        },
        ['code', 'detail', 'heldBy'],
      ),
    },
    position: { type: 'integer', minimum: 0, description: "Position in the host's log." },
  },
} as const satisfies JSONSchema;
