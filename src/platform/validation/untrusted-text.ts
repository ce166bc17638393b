/**
 * Finds hidden characters in texts of strangers, and phrases that address the model instead of describing the tool. Expressions
 * here run over megabytes: they are bounded, without choices inside repetitions.
 */
import { control, flagOfRegion, ignorable, isFlag, spelledVariations, unseen } from './unseen-characters.js';

/** What hides a text, or is read in another order than it stands in: no description needs it. */
const HIDDEN = new RegExp(
  `${flagOfRegion}|[${unseen.turning}]|[${unseen.tags}${unseen.unassigned}]+|${spelledVariations}`,
  'gu',
);
/** A description has no pages either. */
const CONTROL = new RegExp(String.raw`[${control}\v\f]`, 'u');
const { directing, joining, softHyphen, widthless, byteOrder, blank, framing } = unseen;
/** What scripts are written in that run to the left: their blocks, without the mark of direction in one. */
const LEFTWARD = String.raw`[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]`;
/**
 * Left out is what scripts and emoji are written with: marks of direction beside what runs to the left, or beside the sign of a number
 * there; joiners, but for those in and behind ASCII.
 */
const INVISIBLE = new RegExp(
  [
    `[${softHyphen}${widthless}${byteOrder}${blank}${framing}]`,
    `(?<!${LEFTWARD})[${directing}](?![-+]?${LEFTWARD})`,
    String.raw`(?<=[ -~])[${joining}](?=[\s -~${joining}]|$)`,
  ].join('|'),
  'u',
);
/** Rules out most texts quickly. */
const UNUSUAL = /[^\P{Cc}\t\n\r]|[\u00ad\u034f\u061c\u1100-\u{10ffff}]/u;

export interface TextFinding {
  /** Stable: `hidden_characters_replaced`, `control_characters`, `invisible_characters`, `text_addresses_model`. */
  readonly code: string;
  readonly detail: string;
}

/** The text without hidden characters, and what is remarkable about its characters. */
export function vettedCharacters(text: string): {
  readonly text: string;
  readonly findings: readonly TextFinding[];
} {
  if (!UNUSUAL.test(text)) return { text, findings: [] };
  const shown = text.replace(HIDDEN, (found) => (isFlag(found) ? found : '\ufffd'));
  const findings = [
    shown !== text && {
      code: 'hidden_characters_replaced',
      detail: 'Characters that hide text or turn its order were replaced by U+FFFD.',
    },
    CONTROL.test(shown) && { code: 'control_characters', detail: 'The text holds control characters.' },
    INVISIBLE.test(shown) && {
      code: 'invisible_characters',
      detail: 'The text holds characters that nobody sees.',
    },
  ].filter((finding) => finding !== false);
  return { text: shown, findings };
}

/** How texts speak to a model: to drop its instructions, to keep from its user, to be somebody, to prefer a tool. */
const ADDRESSES: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\s(?:[^\s.]{1,20}\s){0,4}?(?:previous|prior|above|earlier|preceding|existing|system|your|all)\s(?:[^\s.]{1,20}\s){0,3}?(?:instructions?|prompts?|guidelines|directions|safeguards)\b/gi,
  /\b(?:do\snot|don['’]t|never|without)\s(?:[^\s.]{1,20}\s){0,3}?(?:tell|telling|mention|mentioning|inform|informing|alert|alerting|reveal|revealing)\s(?:[^\s.]{1,20}\s){0,5}?(?:the\s|your\s)?(?:user|human|operator)\b/gi,
  // An element around paragraphs or lists is how handbooks (those of AWS) are marked up.
  /<\/?\s?(?:important(?!>\s?<(?:p|ul|ol)>)(?!>(?<=<\/(?:p|ul|ol)>\s?<\/important>))|system|instructions?|hidden|assistant|sys_?prompt)\s?>|\[\/?INST\]|<\|(?:im_start|im_end|system|endoftext|user|assistant)\|>/gi,
  /\b(?:you\sare|act\sas|pretend\sto\sbe|behave\sas)\s(?:now\s)?(?:an?\s|the\s)?(?:[^\s.]{1,20}\s){0,2}?(?:ai|assistant|language\smodel|llm|chatbot|agent)\b/gi,
  /\b(?:before|after|when|whenever|prior\sto)\s(?:[^\s.]{1,20}\s){0,3}?(?:using|calling|invoking|use|call|invoke)\s(?:this|any|other|another|the)\s(?:[^\s.]{1,20}\s){0,2}?tools?\b[^.\n]{0,60}\b(?:must|always|read|send|pass|include|first)\b/gi,
  /\b(?:always|must|should)\s(?:[^\s.]{1,20}\s){0,2}?(?:prefer|use|call|choose|select)\sthis\stool\b[^.\n]{0,40}\b(?:instead|rather|over|before|first)\b/gi,
  /\b(?:read|send|include|attach|pass|upload|print|reveal|repeat|output)\s(?:[^\s.]{1,20}\s){0,6}?(?:~\/\.(?:ssh|aws|cursor|config|claude|kube)|\/etc\/passwd|id_rsa|mcp\.json|(?:conversation|chat)\shistory|system\sprompt)/gi,
];

/** Where in the text a phrase addresses the model: offsets, in order. */
export function modelAddresses(text: string): readonly number[] {
  const plain = text.replace(WRITTEN, readingOf);
  const found = ADDRESSES.flatMap((phrase) => [...plain.matchAll(phrase)].map(({ index }) => index));
  return found.length === 0
    ? []
    : offsetsIn(
        text,
        found.sort((a, b) => a - b),
      );
}

/** What changes no letter, in or around a word: what is not seen, or by no screen, and the stars and ticks of Markdown. */
const NO_LETTER = String.raw`*\x60${control}${ignorable}${framing}\ufffd`;
const noLetter = new RegExp(`[${NO_LETTER}]`, 'gu');
/** Ends a line, which `\s` does not know. */
const NEXT_LINE = '\x85';
/**
 * Characters that are read otherwise than they are written: blanks and invisible ones, but for a blank between two words;
 * emphasis; letters of other widths and styles, as NFKC knows them.
 */
const WRITTEN = new RegExp(
  [
    String.raw`(?! [!-)+-_a-~])[\s${NEXT_LINE}${NO_LETTER}]+`,
    String.raw`~~|(?<![a-z\d])_{1,3}|_{1,3}(?![a-z\d])`,
    String.raw`[\u017f\u2100-\u214f\u24b6-\u24e9\ufb00-\ufb06\uff01-\uff5e\u{1d400}-\u{1d7ff}]+`,
  ].join('|'),
  'giu',
);

/** Maps offsets in the text as it is read to offsets in the text as it is written; both in order. */
function offsetsIn(text: string, readOffsets: readonly number[]): readonly number[] {
  /** Offset in the text, less the same place's offset as it is read. */
  let ahead = 0;
  let next = 0;
  const offsets: number[] = [];
  for (const { 0: written, index } of text.matchAll(WRITTEN)) {
    const read = index - ahead;
    const length = readingOf(written).length;
    for (let at = readOffsets[next]; at !== undefined && at < read + length; at = readOffsets[++next])
      offsets.push(at < read ? at + ahead : Math.min(index + at - read, index + written.length));
    ahead += written.length - length;
  }
  return [...offsets, ...readOffsets.slice(next).map((at) => at + ahead)];
}

/** Renders a text as it is read: an empty line separates paragraphs, other blanks separate words. */
function readingOf(written: string): string {
  if (written === '`' || written === '*' || /^[~_]/.test(written)) return '';
  if (written === '\n') return ' ';
  const seen = written.replace(noLetter, '').replaceAll(NEXT_LINE, '\n');
  if (seen.trim() !== '') return seen.normalize('NFKC');
  if (seen === '') return '';
  return /\n[^\S\n]*\n/.test(seen) ? '\n' : ' ';
}

/** Which of the texts address the model: their indexes, in order. */
export function textsAddressingModel(texts: readonly string[]): readonly number[] {
  const candidates = texts.flatMap((text, index) =>
    mayAddress(text) ? readingsOf(text).map((reading) => ({ index, text: reading })) : [],
  );
  const offsets = modelAddresses(candidates.map(({ text }) => text).join(BETWEEN));
  if (offsets.length === 0) return [];
  const found = new Set<number>();
  let end = 0;
  let next = 0;
  for (const { index, text } of candidates) {
    end += text.length + BETWEEN.length;
    for (; (offsets[next] ?? Infinity) < end; next++) found.add(index);
  }
  return [...found];
}

/** What a phrase needs at least: a blank between two words, a bracket, or a letter that reads as another; in a name three words. */
const MAY_ADDRESS = /[\s<[\u0080-\uffff]/;
const THREE_WORDS = /[A-Za-z\d](?:[-_.]+|(?=[A-Z]))[A-Za-z]+(?:[-_.]+|(?=[A-Z]))[A-Za-z]/;

function mayAddress(text: string): boolean {
  return MAY_ADDRESS.test(text) || THREE_WORDS.test(text);
}

/** What is looked through: a text as it stands, and each name in it as its words. */
function readingsOf(text: string): readonly string[] {
  if (NAME.test(text)) return [parted(text)];
  if (!THREE_WORDS.test(text)) return [text];
  const names = text.split(AROUND).filter((name) => THREE_WORDS.test(name) && NAME.test(name));
  return [text, ...names.map(parted)];
}

/** What stands around a name in a sentence; not the slashes and colons of an address. */
const AROUND = /[\s()[\]{}"'“”‘’`,;!?]+|:(?=\s|$)/u;
/** A text of one piece that is no address: tags, names of tools and of their arguments. */
const NAME = /^[^\s/:<>[\](){}"',;?!]+$/;
/** What parts the words of a name: dashes, low lines, dots, digits behind one, and the capital that one begins with. */
const PARTED = /[\p{Pd}\p{Pc}.]+|(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{L})(?=\d)|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;

function parted(name: string): string {
  return name.replace(PARTED, ' ');
}

/** Separates two texts, so that no phrase is found across them. */
const BETWEEN = '.\n\n';

/** Whether a text or a name of the value, deep inside as well, addresses the model and was not there before. */
export function newlyAddressesModel(before: unknown, after: unknown): boolean {
  const texts = textsOf(after);
  if (texts.size === 0) return false;
  for (const known of textsOf(before)) texts.delete(known);
  return textsAddressingModel([...texts]).length > 0;
}

/** The value without texts that address the model: left out of lists and as names, and else empty. */
export function withoutAddresses<Value>(value: Value): Value {
  const texts = [...textsOf(value)];
  const addressing = new Set(textsAddressingModel(texts).map((index) => texts[index]));
  return addressing.size === 0 ? value : (without(value, addressing) as Value);
}

function without(value: unknown, addressing: ReadonlySet<unknown>): unknown {
  if (typeof value === 'string') return addressing.has(value) ? '' : value;
  if (Array.isArray(value))
    return value.filter((item) => !addressing.has(item)).map((item) => without(item, addressing));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !addressing.has(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, without(member, addressing)]));
}

/** The texts and names of members of the value, deep inside as well; what can hold no phrase is left out. */
function textsOf(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string') {
    if (mayAddress(value)) found.add(value);
  } else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      if (mayAddress(name)) found.add(name);
      textsOf(member, found);
    }
  return found;
}
