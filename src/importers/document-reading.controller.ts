import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { Caller } from '../platform/auth/caller.js';
import { Operation } from '../platform/http/operation.js';
import { CallerOf } from '../platform/http/parameters.js';
import { objectOf } from '../platform/http/schemas.js';
import { envelopeCheck, demanded, ImportReading } from './import-reading.service.js';
import { documentExample, versionImportBody } from './import.schemas.js';

const { format, document } = versionImportBody.properties;
const fields = {
  type: 'object',
  additionalProperties: false,
  properties: { format },
} as const satisfies JSONSchema;
const readBody = {
  ...fields,
  required: ['document'],
  properties: { format, document },
} as const satisfies JSONSchema;
const check = envelopeCheck<FromSchema<typeof fields>>(fields);

const textOrNull = { type: ['string', 'null'] } as const;

const readAnswer = {
  title: 'DocumentReading',
  ...objectOf({
    format: { type: 'string' },
    formatVersion: { type: 'string' },
    title: { ...textOrNull, description: 'Of the API, where the document says it.' },
    version: { ...textOrNull, description: 'Of the API, where the document says it.' },
    operations: { type: 'integer', minimum: 0 },
    warnings: { type: 'integer', minimum: 0 },
  }),
} as const;

/** Says what a document is before anybody says where it shall go. */
@Controller('v1/hosts/:hostId/imports/read')
export class DocumentReadingController {
  constructor(private readonly reading: ImportReading) {}

  @Post()
  @HttpCode(200)
  @Operation({
    id: 'readDocument',
    summary: 'Say what an API description is',
    description:
      'Reads it as an import would, and says its format, what it calls its API, and how many operations it has. Imports nothing; what ' +
      'can’t be read is refused as an import of it would be.',
    ...{ scope: 'catalog:write', confined: 'refused', reads: true, tag: 'imports', upload: true },
    ...{ body: readBody, answer: readAnswer },
    example: {
      body: { document: documentExample },
      answer: {
        ...{ format: 'openapi', formatVersion: '3.1.0', title: 'Account API', version: '1.2.0' },
        ...{ operations: 1, warnings: 0 },
      },
    },
  })
  async read(
    @CallerOf() caller: Caller,
    @Req() { headers }: FastifyRequest,
    @Body() body: Buffer,
  ): Promise<object> {
    const task = { body, mediaType: headers['content-type'] ?? '', holds: 'document' } as const;
    const found = demanded(await this.reading.envelope(caller, check, task), '/document');
    const { title = null, version = null, offers, warnings } = found;
    return {
      ...{ format: found.format, formatVersion: found.formatVersion, title, version },
      ...{ operations: offers.length, warnings: warnings.length },
    };
  }
}
