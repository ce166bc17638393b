import { readingForReads } from '../registry/public.js';
import { specFrom, type ToolSpec } from '../registry/shared.js';
import type { PublishedTool } from '../tools/public.js';

/** The spec that a published tool follows: as it was pushed, or made of what agents are given. */
export async function specOf(tool: PublishedTool, hostId: string): Promise<ToolSpec> {
  const { specText } = tool;
  const pushed = specText === null ? undefined : await readingForReads(hostId).do('spec', specText);
  return pushed?.value ?? specFrom({ ...tool, host: tool.serviceId });
}
