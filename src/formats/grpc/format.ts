import { isTextWith, type Format } from '../format.js';

export const grpc = {
  name: 'grpc',
  apiType: 'grpc',
  title: 'a gRPC .proto file',
  signs: 'gRPC (.proto text)',
  isText: true,
  recognise: (document) => isTextWith(document, signs),
  accepts: (document) => typeof document === 'string',
  read: async ({ text, parts = [{ path: '', text }] }, context) => {
    const { readProto } = await import('./read-proto.js');
    return readProto(parts, context);
  },
} as const satisfies Format;

const signs = [
  /(^|\n)\s*(syntax\s*=\s*["']proto[23]["']|edition\s*=\s*["']\d{4}["'])\s*;/,
  /(^|[\n;])\s*service\s+\w+\s*\{[^}]*\brpc\s+\w+\s*\(/,
];
