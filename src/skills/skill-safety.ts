import { Invalid, type Fault } from '../eventsourcing/errors.js';
import { firstHundred } from '../platform/validation/faults.js';
import { textsIn } from '../platform/validation/secrets-in-texts.js';
import { unsafeInTexts } from '../platform/validation/unsafe-text.pool.js';
import { refuseSecrets } from './skill-secrets.js';

/**
 * Refuses words of a skill that hold a secret, or that run or hide something: Invalid `skill_contains_secret`,
 * `skill_contains_unsafe_text`, each fault with pointer, line and kind. HTML that does neither is left to who renders it.
 */
export function refuseUnsafe(words: object): Promise<void> {
  return refuse(words, () => true);
}

/** The same of the files of a folder, by path: those that are not Markdown may run. */
export function refuseUnsafeFiles(files: Readonly<Record<string, string>>): Promise<void> {
  return refuse(files, ({ pointer, text }) => /\.md$/i.test(pointer) && text.length <= longest);
}

async function refuse(
  words: object,
  isRendered: (at: { readonly pointer: string; readonly text: string }) => boolean,
): Promise<void> {
  await refuseSecrets(words);
  const texts = [...textsIn(words)];
  const looked = texts.map((at) => ({ text: at.text, isMarkdown: isRendered(at) }));
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
  throw new Invalid('skill_contains_unsafe_text', detail, firstHundred(faults));
}

/** Characters that the content of a skill may have; longer files beside it are not rendered anywhere. */
const longest = 262_144;
