import { readingForReads } from '../registry/public.js';
import { specFrom, type ToolSpec } from '../registry/shared.js';
import type { PublishedTool } from '../tools/public.js';

/** The spec that a published tool follows: as it was pushed, or made of what agents are given. */
export async function specOf(tool: PublishedTool): Promise<ToolSpec> {
  const pushed = tool.specText === null ? undefined : await readingForReads.do('spec', tool.specText);
  return pushed?.value ?? specFrom({ ...tool, host: tool.serviceId });
}
