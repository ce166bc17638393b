import { isTextWith, type Format } from '../format.js';
import { introspectionMember } from './introspection.js';

export const graphql = {
  name: 'graphql',
  apiType: 'graphql',
  title: 'a GraphQL schema',
  signs: 'GraphQL (SDL or an introspection answer)',
  isText: true,
  recognise: (document) => introspectionMember(document) !== undefined || isTextWith(document, signs),
  accepts: (document) => typeof document === 'string',
  read: async ({ value }, context) => {
    const { readGraphQl } = await import('./read-graphql.js');
    return readGraphQl(value, context);
  },
} as const satisfies Format;

const signs = [
  /(^|\n)\s*(extend\s+)?schema\s*(@[^{\n]*)?\{/,
  /(^|\n)\s*(extend\s+)?(type|interface|input|enum)\s+\w+[^:\n]*(\n[ \t]*)?\{/,
  /(^|\n)\s*(scalar\s+\w+|union\s+\w+\s*=|directive\s+@\w+)/,
];
