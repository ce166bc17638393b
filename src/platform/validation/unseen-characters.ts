/**
 * Characters that are not seen, or that turn what is: the one table of them, each in one kind. Who looks for them says which kinds
 * matter there, and why. For expressions with the flag `u`.
 */

/** What stands within the brackets of a class. */
export const unseen = {
  /** Turn the order in which what follows is read. No text needs them. */
  turning: String.raw`\u202a-\u202e\u2066-\u2069`,
  /** Say which way the characters beside them are read, as in Arabic and Hebrew. */
  directing: String.raw`\u061c\u200e\u200f`,
  /** Join letters or keep them apart, as in Persian and scripts of India, and join emoji. */
  joining: String.raw`\u200c\u200d`,
  /** Says where a word may be parted. */
  softHyphen: String.raw`\u00ad`,
  /** Have no width, and are part of no script. */
  widthless: String.raw`\u180e\u200b\u2060-\u2065\u206a-\u206f`,
  /** Has no width either; one at the beginning of a file says how it is encoded. */
  byteOrder: String.raw`\ufeff`,
  /** Count as letters and show nothing: fillers of Korean, vowels of Khmer. */
  blank: String.raw`\u115f\u1160\u17b4\u17b5\u3164\uffa0`,
  /** Frame notes between lines, and notes of music; step between those of shorthand. */
  framing: String.raw`\ufff9-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}`,
  /** ASCII that is not shown; flags of regions are written with it. */
  tags: String.raw`\u{e0000}-\u{e007f}`,
  /** Kept for what programs may leave out; nothing is written with them. */
  unassigned: String.raw`\ufff0-\ufff8\u{e0080}-\u{e00ff}\u{e01f0}-\u{e0fff}`,
} as const;

/** Change the character that they stand behind, one at a time: texts are written with them. Within the brackets, too. */
export const varying = {
  /** A symbol, as in ❤️, or a letter. */
  symbols: String.raw`\ufe00-\ufe0f`,
  ideographs: String.raw`\u{e0100}-\u{e01ef}`,
  mongolian: String.raw`\u180b-\u180d\u180f`,
  /** Keeps it apart from the next where they are sorted, as in German, or stacked, as in Hebrew. */
  apart: String.raw`\u034f`,
} as const;

/**
 * Steer terminals and programs: controls of ASCII, and of the later ones what begins or ends a sequence of a terminal. Neither blanks, nor
 * what ends lines and pages, U+0085 among it.
 */
export const steering = String.raw`\0-\x08\x0e-\x1f\x7f\x90\x98\x9b-\x9f`;

/** Those and the other later ones, which texts hold for quotes and dashes where somebody misread how they were encoded. */
export const control = String.raw`${steering}\x80-\x84\x86-\x8f\x91-\x97\x99\x9a`;

/** What Unicode lets a program leave out that does not know it: most of what is not seen, and each variation. Within the brackets, too. */
export const ignorable = String.raw`\p{Default_Ignorable_Code_Point}`;

/** Matches what varies characters where it spells a text: more than one of them, or one behind what it doesn't vary. */
export const spelledVariations = [
  `[${Object.values(varying).join('')}]{2,}`,
  String.raw`(?<!\p{Script=Han})[${varying.ideographs}]`,
  String.raw`(?<!\p{Script=Mongolian})[${varying.mongolian}]`,
].join('|');

/** Matches the flag of England and the like, which tags are part of: what looks for tags passes over it. */
export const flagOfRegion = String.raw`\u{1f3f4}[\u{e0061}-\u{e007a}]{2,6}\u{e007f}`;

/** Whether what was matched is such a flag, and no tag by itself. */
export function isFlag(matched: string): boolean {
  return matched.startsWith('\u{1f3f4}');
}
