/** The spec that a version is: as it was pushed, or made of what it is made of. */
import { isDeepStrictEqual } from 'node:util';
import type { SpecReading } from '../../registry/public.js';
import { specFrom, type ToolSpec } from '../../registry/shared.js';
import type { KnownVersion } from '../tool/tool-versions.lookup.js';

/** The spec as it was pushed, or made of what the version is made of and of what was written before it. */
export async function specOf(
  { specText, writtenText, about, content, name, version }: Omit<KnownVersion, 'origin'>,
  reading: SpecReading,
  host: string | null = null,
): Promise<ToolSpec> {
  const read = async (text: string | null) =>
    text === null ? undefined : (await reading.do('spec', text)).value;
  const own = await read(specText);
  return own ?? { ...specFrom({ ...content, name, version, host }, await read(writtenText)), ...about };
}

/** What the version says; of one that only its guards raised, what its author wrote: those are no change of the author's. */
export async function lastWritten(
  base: KnownVersion,
  live: readonly KnownVersion[],
  reading: SpecReading,
): Promise<ToolSpec> {
  const { specText, content, version } = base;
  const written = live.find(
    (known) => known.specText !== null && isDeepStrictEqual(known.content.call, content.call),
  );
  return specText !== null || content.call === undefined || written === undefined
    ? specOf(base, reading)
    : { ...(await specOf(written, reading)), version };
}
