import { Invalid, type Fault } from '../kernel/errors.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { firstHundred } from '../platform/validation/faults.js';
import { judgedSecrets, textsIn } from '../platform/validation/secrets-in-texts.js';
import { unsafeInTexts } from '../platform/validation/unsafe-text.pool.js';
import type { UnsafeText } from '../platform/validation/unsafe-text.js';

/** Whose texts they are: long ones of a host wait for their turn among those of others. */
export interface TextsOf {
  readonly visibility: Pick<Visibility, 'hostId'>;
}

/**
 * Refuses texts of a skill that hold a secret, or that run or hide something; other HTML is left to who renders it.
 *
 * @throws Invalid `skill_contains_secret`, `skill_contains_unsafe_text`, each fault with pointer, line and kind
 */
export async function refuseUnsafe(fields: object, of: TextsOf): Promise<void> {
  await refuse(fields, of, () => true);
}

/**
 * Refuses the same in the files of a folder, given by path; files that are not Markdown may hold what runs.
 *
 * @returns what looks like a secret, and is an example as its author says
 */
export function refuseUnsafeFiles(
  files: Readonly<Record<string, string>>,
  of: TextsOf,
): Promise<readonly Fault[]> {
  return refuse(files, of, ({ pointer, text }) => /\.md$/i.test(pointer) && text.length <= MAX_RENDERED);
}

async function refuse(
  fields: object,
  { visibility }: TextsOf,
  isRendered: (at: { readonly pointer: string; readonly text: string }) => boolean,
): Promise<readonly Fault[]> {
  const accepted = await refuseSecrets(fields);
  const texts = [...textsIn(fields)];
  const looked = texts.map((at) => ({ text: at.text, isMarkdown: isRendered(at) }));
  const unsafe = await unsafeInTexts(looked, visibility.hostId);
  const faults: Fault[] = texts.flatMap(({ pointer }, at) =>
    reasonsFor(unsafe[at] ?? []).map((detail) => ({ pointer, detail })),
  );
  if (faults.length === 0) return accepted;
  const detail =
    'A skill must hold nothing that runs or hides: people approve what they see. Take it out, or write it as code.';
  throw new Invalid('skill_contains_unsafe_text', detail, firstHundred(faults));
}

/** Why a text is refused, once a line and kind, and which characters there are to be removed: the first ones of many. */
function reasonsFor(found: readonly UnsafeText[]): string[] {
  const reasons = new Map<string, Set<string>>();
  for (const { line, kind, character } of found) {
    const reason = `line ${String(line)} holds what runs or hides (${kind})`;
    const characters = reasons.get(reason) ?? new Set();
    reasons.set(reason, characters);
    if (character !== undefined) characters.add(character);
  }
  return Array.from(reasons, ([reason, characters]) => {
    const named = [...characters].slice(0, MAX_NAMED).join(', ');
    return named === '' ? reason : `${reason}: remove ${named}${characters.size > MAX_NAMED ? ', …' : ''}`;
  });
}

const MAX_NAMED = 10;

/** Characters of a skill's content at most; a longer file beside it is rendered nowhere. */
const MAX_RENDERED = 262_144;

/**
 * Refuses texts that hold a secret of which their author does not say that it is an example (`accepted-finding: credential` on its line,
 * or the one above).
 *
 * @returns those of which the author says so
 * @throws Invalid `skill_contains_secret`, each fault with pointer, line and kind, never with the secret itself
 */
export async function refuseSecrets(fields: object): Promise<readonly Fault[]> {
  const { refused, accepted } = await judgedSecrets(textsIn(fields));
  if (refused.length === 0) return accepted;
  const detail =
    'A skill must not hold secrets: all its agents read it. Take them out, and change them if they are real. Of an example that opens ' +
    'nothing say so in a comment on its line or the one above, with the kind in brackets: <!-- accepted-finding: credential -->.';
  throw new Invalid('skill_contains_secret', detail, refused);
}
