import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { Operation } from '../platform/http/operation.js';
import { addressOf, DocumentFetch, fetchedAddress } from './document-fetch.service.js';
import { documentExample } from './import.schemas.js';

const fetchBody = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: {
      ...fetchedAddress,
      description: 'Where the description is, by http or https and without a user or password.',
    },
  },
} as const satisfies JSONSchema;

const fetchAnswer = {
  type: 'object',
  required: ['url', 'document', 'bytes'],
  properties: {
    url: { type: 'string' },
    document: { type: 'string', description: 'Its text, as it is imported then.' },
    bytes: { type: 'integer' },
  },
} as const satisfies JSONSchema;

const documentText = JSON.stringify(documentExample);

const accept = 'application/json, application/yaml;q=0.9, text/*;q=0.8, */*;q=0.5';

/** Fetches an API description from an address, through the guard of all that goes out. */
@Controller('v1/hosts/:hostId/imports/fetch')
export class DocumentFetchController {
  constructor(private readonly documents: DocumentFetch) {}

  @Post()
  @HttpCode(200)
  @Operation({
    id: 'fetchDocument',
    summary: 'Fetch an API description from an address',
    description:
      'Answers its text, to be looked at and imported. Imports nothing, sends no credential and follows no redirect. ' +
      'An address that is not public is refused unless OUTBOUND_ALLOW names it.',
    scope: 'catalog:write',
    confined: 'refused',
    reads: true,
    tag: 'imports',
    body: fetchBody,
    answer: fetchAnswer,
    example: {
      body: { url: 'https://accounts.example.com/openapi.yaml' },
      answer: {
        url: 'https://accounts.example.com/openapi.yaml',
        ...{ document: documentText, bytes: Buffer.byteLength(documentText) },
      },
    },
  })
  async fetch(@Body() { url }: FromSchema<typeof fetchBody>): Promise<object> {
    const { text: document, bytes } = await this.documents.textAt(addressOf(url), accept);
    return { url, document, bytes };
  }
}
