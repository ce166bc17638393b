import { Body, Controller, Param, Patch, Post } from '@nestjs/common';
import { receiptExample } from '../endpoints/api.examples.js';
import { apiId } from '../endpoints/api.schemas.js';
import type { Reply } from '../eventsourcing/command.js';
import { Operation } from '../platform/http/operation.js';
import { WriterOf, type Writer } from '../platform/http/parameters.js';
import { versionExample, versionReceiptExample } from './import.examples.js';
import { newVersionBody, versionPatchBody, versionReceipt } from './import.schemas.js';
import { ImportService } from './import.service.js';

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
