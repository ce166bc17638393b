/** A format that is neither JSON nor YAML, told by its first lines. */
export function plainTextFormat(text: string): 'grpc' | 'graphql' | undefined {
  const start = text.slice(0, 20_000);
  if (startsLikeYaml.test(start)) return undefined;
  const body = start.replace(preamble, '');
  if (protoSigns.some((sign) => sign.test(body))) return 'grpc';
  return graphqlSigns.some((sign) => sign.test(body)) ? 'graphql' : undefined;
}

/** The first line that is no comment is a member with a value. */
const startsLikeYaml = /^(\s*(#[^\n]*)?\n|---[^\n]*\n)*\s*(['"]?)[\w$.-]+\3\s*:(\s|$)/;

/** Comments and a description, which may stand on one line with what they describe. */
const preamble = /^(?:\s|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/|"""[\s\S]*?"""|"[^"\n]*")+/;

const protoSigns = [
  /(^|\n)\s*(syntax\s*=\s*["']proto[23]["']|edition\s*=\s*["']\d{4}["'])\s*;/,
  /(^|[\n;])\s*service\s+\w+\s*\{[^}]*\brpc\s+\w+\s*\(/,
];

const graphqlSigns = [
  /(^|\n)\s*(extend\s+)?schema\s*(@[^{\n]*)?\{/,
  /(^|\n)\s*(extend\s+)?(type|interface|input|enum)\s+\w+[^:\n]*(\n[ \t]*)?\{/,
  /(^|\n)\s*(scalar\s+\w+|union\s+\w+\s*=|directive\s+@\w+)/,
];
