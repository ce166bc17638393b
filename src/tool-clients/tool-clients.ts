import { createHash } from 'node:crypto';
import type { GenerationWarning, ToolInterface } from '../../packages/tool-clients/tool-interface.js';
import { specDigest, type ToolSpec } from '../registry/shared.js';

/** A version of a tool as those who implement it need it. */
export function interfaceOf(spec: ToolSpec): ToolInterface {
  const { name, version, title, description, host, inputSchema, outputSchema } = spec;
  return {
    ...{ name, version, title, description, inputSchema },
    ...(host !== null && { host }),
    ...(outputSchema !== null && { outputSchema }),
    digest: specDigest(spec),
  };
}

/**
 * `0.<position>.<number>`: the position of the last change of a tool among them, and what tells apart other selections at it.
 */
export function packageVersionOf(position: number, tools: readonly ToolInterface[]): string {
  const digests = tools.map(({ name, version, digest }) => `${name} ${version} ${digest}\n`).sort();
  const hash = createHash('sha256').update(digests.join('')).digest();
  return `0.${String(position)}.${String(hash.readUInt32BE() % 1_000_000_000)}`;
}

/** A line for people: which tool, where, and what is not held to. */
export const warningLine = ({ tool, version, pointer, detail }: GenerationWarning): string =>
  `${tool} ${version} ${pointer}: ${detail}`;
