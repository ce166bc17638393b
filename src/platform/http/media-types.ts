import type { FastifyRequest } from 'fastify';
import type { OperationSpec } from './operation.js';
import { Problem } from './problem.js';

const json = ['application/json'];
/** What a document may be sent as. */
const documentTypes = [
  'application/json',
  'application/yaml',
  'text/yaml',
  'application/x-yaml',
  'text/plain',
  'application/zip',
  'application/x-tar',
  'application/gzip',
];
/** What the folder of a skill may be sent as. */
const folderTypes = [
  'application/json',
  'text/markdown',
  'application/zip',
  'application/x-tar',
  'application/gzip',
];
const utf8 = /^"?utf-?8"?$/i;

export function uploadTypes(upload: OperationSpec['upload']): readonly string[] {
  if (upload === 'document') return documentTypes;
  return upload === 'folder' ? folderTypes : json;
}

/** Refuses a body of another media type, charset or coding before it is read: Problem 415. */
export function checkMediaType(request: FastifyRequest, { upload }: OperationSpec): void {
  const { headers } = request;
  if (headers['content-length'] === '0' || !('content-length' in headers || 'transfer-encoding' in headers))
    return;
  const accepted = uploadTypes(upload);
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim());
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))?.slice('charset='.length);
  const coding = headers['content-encoding'] ?? 'identity';
  if (
    accepted.includes(type.toLowerCase()) &&
    coding === 'identity' &&
    (charset === undefined || utf8.test(charset))
  )
    return;
  throw new Problem(
    415,
    'unsupported_media_type',
    `Send the body as ${accepted.join(', ')}, in UTF-8 and not compressed.`,
    {
      headers: { accept: accepted.join(', ') },
    },
  );
}
