import { Invalid, type Fault } from '../eventsourcing/errors.js';
import { textsIn } from '../platform/validation/secret-faults.js';
import { unsafeInTexts } from '../platform/validation/unsafe-text.pool.js';
import { refuseSecrets } from './skill-secrets.js';

/** Texts that are read as Markdown, by their pointer; files of a folder by their path. */
const isMarkdown = /\/(?:description|contentMarkdown|[^/]*\.md)$/i;

/**
 * Refuses words of a skill that hold a secret, or that run or hide something: Invalid `skill_contains_secret`,
 * `skill_contains_unsafe_text`, each fault with pointer, line and kind. HTML that does neither is left to who renders it.
 */
export async function refuseUnsafe(words: object): Promise<void> {
  await refuseSecrets(words);
  const texts = [...textsIn(words)];
  const looked = texts.map(({ pointer, text }) => ({
    text,
    isMarkdown: isMarkdown.test(pointer) && text.length <= longest,
  }));
  const unsafe = await unsafeInTexts(looked);
  const faults: Fault[] = texts.flatMap(({ pointer }, at) => {
    const found = unsafe[at] ?? [];
    const told = new Set(
      found.map(({ line, kind }) => `line ${String(line)} holds what runs or hides (${kind})`),
    );
    return [...told].map((detail) => ({ pointer, detail }));
  });
  if (faults.length === 0) return;
  const detail =
    'A skill must hold nothing that runs or hides: people approve what they see. Take it out, or write it as code.';
  throw new Invalid('skill_contains_unsafe_text', detail, faults.slice(0, mostFaults));
}

const mostFaults = 100;
/** Characters that the content of a skill may have; longer files beside it are not rendered anywhere. */
const longest = 262_144;
