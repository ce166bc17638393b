/** One of a class of characters, no negation among them. */
const SET = String.raw`\\[dw]|\[(?!\^)(?:[^\]\\]|\\[^DWSpPBbu])+\]`;
/** One character: of a class, escaped, or as it is; never any character (`.`), never a group. */
const ATOM = String.raw`(?:${SET}|\\[^\w]|[\w ,:;@#%&=/~!"'<>-])`;

/** `(-[a-z]+)*`, `(,-?\d+)*` and `([a-z]+\.)+`: each round begins, or ends, with a separator. */
const LED = new RegExp(String.raw`\((?:\?:)?(${ATOM})(?:(${ATOM})\?)?(${SET})\+\)[*+]`, 'g');
const ENDED = new RegExp(String.raw`\((?:\?:)?(${SET})\+(${ATOM})\)[*+]`, 'g');

/** `([0-9A-F]{4}-?){3}`: a group, and groups in it, a small number of times. */
const COUNTED = /(\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\))\{([1-8])\}/g;
/** Choices in all rounds of the counted groups together. */
const MOST_CHOICES = 12;

/**
 * The expression without the repetitions of repetitions that can't run away: rounds that a separator tells apart, small
 * counts of what is optional at most, counts of one or none. For judging alone: it does not match what the given one does.
 */
export function withoutHarmless(pattern: string): string {
  let left = MOST_CHOICES;
  return withoutOptions(pattern)
    .replace(LED, (whole, separator: string, optional: string | undefined, set: string) =>
      [separator, optional ?? separator].every((atom) => areApart(atom, set)) ? `${set}*` : whole,
    )
    .replace(ENDED, (whole, set: string, separator: string) => (areApart(separator, set) ? `${set}*` : whole))
    .replace(COUNTED, (whole, group: string, count: string) => {
      const plain = group.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
      const choices = plain.split(/[?|]/).length - 1;
      if (/[*+]|\{\d*,/.test(plain) || choices * Number(count) > left) return whole;
      left -= choices * Number(count);
      return `${group.replace(/(?<![\\(])\?/g, '')}{${count}}`;
    });
}

/** Groups that stand once or not at all, within no group that is repeated, without the sign that says so. */
function withoutOptions(pattern: string): string {
  const open: Group[] = [];
  const groups: Group[] = [];
  for (const { 0: sign, index } of pattern.matchAll(SIGNS)) {
    if (sign === '(') open.push({ within: open.at(-1) });
    if (!sign.startsWith(')')) continue;
    const group = open.pop();
    if (group) groups.push(Object.assign(group, { sign, end: index + 1 }));
  }
  const isRepeated = ({ sign = '' }: Group): boolean => /^\)[*+{]/.test(sign) && !isOption(sign);
  const inRepeated = ({ within }: Group): boolean =>
    within !== undefined && (isRepeated(within) || inRepeated(within));
  let plain = pattern;
  const options = groups.filter((group) => isOption(group.sign) && !inRepeated(group));
  for (const { sign = '', end = 0 } of options.reverse())
    plain = plain.slice(0, end) + plain.slice(end + sign.length - 1);
  return plain;
}

interface Group {
  readonly within: Group | undefined;
  /** The parenthesis that closes it, and what says how often it stands. */
  readonly sign?: string;
  readonly end?: number;
}

/** Escapes and classes as a whole, parentheses, and how often a group stands. */
const SIGNS = /\\.|\[(?:[^\]\\]|\\.)*\]|\(|\)(?:[?*+]|\{\d+(?:,\d*)?\})?/g;

const isOption = (sign: string | undefined): boolean => [')?', '){1}', '){0,1}'].includes(sign ?? '');

/** Whether no character is in both. */
function areApart(one: string, other: string): boolean {
  if (!/^[ -~]*$/.test(one + other)) return false;
  const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  const [first, second] = [one, other].map((set) => new RegExp(`^${set}$`, 'u')) as [RegExp, RegExp];
  return !ascii.some((letter) => first.test(letter) && second.test(letter));
}
