import { ProtocolError } from '@modelcontextprotocol/server';
import type { RouterTool } from '../gateways/shared.js';

/** JSON-RPC code for a tool, or a version of one, that is not there. */
export const invalidParams = -32602;

/**
 * The tool as it is in the version that a call names; the newest, which is the default, where it names none. A version that has no
 * operation of its own is carried out by that of the default.
 */
export function versionCalled(newest: RouterTool, version: unknown): RouterTool {
  const { versions = [], toolMetadata, name } = newest;
  const { lifecycle } = toolMetadata;
  if (version === undefined || version === lifecycle.version) return newest;
  const found = versions.find((each) => each.version === version);
  if (found === undefined) {
    const there = [lifecycle, ...versions].map((each) => each.version).join(', ');
    const asked = typeof version === 'string' ? version.slice(0, 32) : '?';
    throw new ProtocolError(
      invalidParams,
      `No implementation found for version ${asked} of ${name}. There is: ${there}.`,
    );
  }
  const { outputSchema: _, graphql, composite, ...unversioned } = newest;
  const isOwn = found.graphql !== undefined || found.composite !== undefined;
  return {
    ...unversioned,
    ...(!isOwn && { ...(graphql && { graphql }), ...(composite && { composite }) }),
    ...found,
    ...(isOwn && { apiType: found.graphql === undefined ? 'composite' : 'graphql' }),
    toolMetadata: { ...toolMetadata, lifecycle: { ...lifecycle, version: found.version } },
  };
}
