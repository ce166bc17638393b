import { Patch, Post } from '@nestjs/common';
import { apiId, receiptExample } from '../endpoints/shared.js';
import { resultReply } from '../platform/http/replies.js';
import { located } from '../platform/records/record-routes.js';
import { writeRoute } from '../platform/records/routes.js';
import { importReport } from './import-report.schemas.js';
import {
  documentExample,
  importBody,
  importExample,
  importOptions,
  newVersionBody,
  reportExample,
  resyncBody,
  versionExample,
  versionImportBody,
  versionPatchBody,
  versionReceipt,
  versionReceiptExample,
} from './import.schemas.js';
import {
  CreateApiVersion,
  ImportApi,
  ImportIntoApiVersion,
  ResyncApiVersion,
  UpdateApiVersion,
} from './import.handlers.js';

export const importRoutes = [
  writeRoute(
    [Post, 'imports'],
    {
      id: 'importApi',
      summary: 'Import an API description',
      description:
        'Makes the API and the version where they are missing. What has vanished from the document becomes inactive; ' +
        'importing the same document again changes nothing. A document that can’t be read is refused whole.',
      scope: 'catalog:write',
      body: importBody,
      answer: importReport,
      example: {
        body: importExample,
        answer: { ...reportExample, published: 1, leftOut: [], unpublished: 0 },
      },
      batch: true,
      upload: true,
    },
    ImportApi,
    resultReply,
  ),
  writeRoute(
    [Post, 'api-versions/:apiVersionId/imports'],
    {
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
    },
    ImportIntoApiVersion,
    resultReply,
  ),
  writeRoute(
    [Post, 'api-versions/:apiVersionId/resync'],
    {
      id: 'resyncApiVersion',
      summary: 'Read the document of a version once more',
      description: 'For a document that an older program read: what is read differently today is taken in.',
      scope: 'catalog:write',
      body: resyncBody,
      bodyOptional: true,
      answer: importReport,
      example: { body: { dryRun: true }, answer: { ...reportExample, added: 0, unchanged: 1, items: [] } },
      batch: true,
    },
    ResyncApiVersion,
    resultReply,
  ),
];

/** Writes of API versions: they may bring a document, which is imported in the same transaction. */
export const apiVersionRoutes = [
  writeRoute(
    [Post, 'apis/:apiId/versions'],
    {
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
    },
    CreateApiVersion,
    located('api-versions'),
  ),
  writeRoute(
    [Patch, 'api-versions/:apiVersionId'],
    {
      id: 'updateApiVersion',
      summary: 'Change an API version',
      description: 'A `spec` is imported again, in the same transaction.',
      scope: 'catalog:write',
      body: versionPatchBody,
      answer: versionReceipt,
      example: { body: { quarantine: true }, answer: { ...receiptExample, version: 2, position: 8 } },
      upload: true,
    },
    UpdateApiVersion,
  ),
];
