import type { Format } from '../format.js';
import { isMethodList, methodDocument } from './method-list.js';

/** OpenRPC, and what JSON-RPC servers list of themselves. */
export const openrpc = {
  name: 'openrpc',
  apiType: 'openrpc',
  title: 'OpenRPC',
  signs: 'OpenRPC (`openrpc`) and JSON-RPC method lists (`methods`)',
  recognise: (document) =>
    Array.isArray(document) ? isMethodList(document) : methodDocument(document) !== undefined,
  // A list of names says too little of itself.
  accepts: (document) => methodDocument(document) !== undefined,
  read: async ({ value }, context) => {
    const { readOpenRpc } = await import('./read-openrpc.js');
    return readOpenRpc(value, context);
  },
} as const satisfies Format;
