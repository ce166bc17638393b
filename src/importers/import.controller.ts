import { Body, Controller, Param, Patch, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { receiptExample } from '../endpoints/api.examples.js';
import { apiId } from '../endpoints/api.schemas.js';
import { Operation } from '../platform/http/operation.js';
import { WriterOf, type Writer } from '../platform/http/parameters.js';
import type { Reply } from '../platform/idempotency/kept-replies.js';
import { importReport } from './import-report.schemas.js';
import {
  documentExample,
  importExample,
  reportExample,
  versionExample,
  versionReceiptExample,
} from './import.examples.js';
import {
  importBody,
  importOptions,
  newVersionBody,
  versionImportBody,
  versionPatchBody,
  versionReceipt,
  type ImportOptions,
} from './import.schemas.js';
import { ImportService } from './import.service.js';

@Controller('v1/hosts/:hostId')
export class ImportController {
  constructor(private readonly imports: ImportService) {}

  @Post('imports')
  @Operation({
    id: 'importApi',
    summary: 'Import an API description',
    description:
      'Makes the API and the version where they are missing. What has vanished from the document becomes inactive; ' +
      'importing the same document again changes nothing. A document that can’t be read is refused whole.',
    scope: 'catalog:write',
    body: importBody,
    answer: importReport,
    example: { body: importExample, answer: { ...reportExample, published: 1, leftOut: [], unpublished: 0 } },
    batch: true,
    upload: true,
  })
  importNamed(@WriterOf() writer: Writer, @Body() body: Buffer): Promise<Reply> {
    return this.imports.importNamed({ writer, body, mediaType: 'application/json' });
  }

  @Post('api-versions/:apiVersionId/imports')
  @Operation({
    id: 'importIntoApiVersion',
    summary: 'Import an API description into a version',
    description:
      'The body is the document itself (JSON, YAML, text, or a zip, tar or tar.gz of a folder; options in the query), or a JSON object that holds it.',
    scope: 'catalog:write',
    query: importOptions,
    body: versionImportBody,
    answer: importReport,
    example: { query: { dryRun: true }, body: { document: documentExample }, answer: reportExample },
    batch: true,
    upload: 'document',
  })
  importInto(
    @WriterOf() writer: Writer,
    @Req() request: FastifyRequest<{ Params: { apiVersionId: string } }>,
    @Query() query: ImportOptions,
    @Body() body: Buffer,
  ): Promise<Reply> {
    const mediaType = request.headers['content-type'] ?? '';
    return this.imports.importInto({ writer, body, mediaType }, request.params.apiVersionId, query);
  }

  @Post('api-versions/:apiVersionId/resync')
  @Operation({
    id: 'resyncApiVersion',
    summary: 'Read the document of a version once more',
    description: 'For a document that an older program read: what is read differently today is taken in.',
    scope: 'catalog:write',
    answer: importReport,
    example: { answer: { ...reportExample, added: 0, unchanged: 1, items: [] } },
    batch: true,
  })
  resync(@WriterOf() writer: Writer, @Param('apiVersionId') apiVersionId: string): Promise<Reply> {
    return this.imports.resync(writer, apiVersionId);
  }
}

const mediaType = 'application/json';

/** Writes of API versions: they may bring a document, which is imported in the same transaction. */
@Controller('v1/hosts/:hostId')
export class ApiVersionController {
  constructor(private readonly imports: ImportService) {}

  @Post('apis/:apiId/versions')
  @Operation({
    id: 'createApiVersion',
    summary: 'Register a version of an API',
    description:
      'With a `spec`, its endpoints are imported in the same transaction. Refused with `api_version_exists` where the ' +
      'API has the version. A version of type agent names its environment and has no document.',
    scope: 'catalog:write',
    params: { apiId },
    body: newVersionBody,
    status: 201,
    answer: versionReceipt,
    example: { body: versionExample, answer: versionReceiptExample },
    upload: true,
  })
  create(@WriterOf() writer: Writer, @Param('apiId') id: string, @Body() body: Buffer): Promise<Reply> {
    return this.imports.createVersion({ writer, body, mediaType }, id);
  }

  @Patch('api-versions/:apiVersionId')
  @Operation({
    id: 'updateApiVersion',
    summary: 'Change an API version',
    description: 'A `spec` is imported again, in the same transaction.',
    scope: 'catalog:write',
    body: versionPatchBody,
    answer: versionReceipt,
    example: { body: { quarantine: true }, answer: { ...receiptExample, version: 2, position: 8 } },
    upload: true,
  })
  update(
    @WriterOf() writer: Writer,
    @Param('apiVersionId') apiVersionId: string,
    @Body() body: Buffer,
  ): Promise<Reply> {
    return this.imports.updateVersion({ writer, body, mediaType }, apiVersionId);
  }
}
