/** What in a text runs or hides. Pure. */
import markdownIt, { type Token } from 'markdown-it';

/** Something in a text that no reader means to have there. */
export interface UnsafeText {
  /** From 1. */
  readonly line: number;
  /** `script`, `iframe`, `event-handler`, `script-link`, `bidi-control`, `invisible-character`, `control-character`, … */
  readonly kind: string;
}

const characters: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  { kind: 'bidi-control', pattern: /[\u202A-\u202E\u2066-\u2069]/gu },
  {
    // Joiners, marks of direction and soft hyphens are part of some scripts; tags are, in the flags of regions.
    kind: 'invisible-character',
    pattern:
      /\u{1F3F4}[\u{E0061}-\u{E007A}]{1,6}\u{E007F}|(?<!^)\uFEFF|[\u180E\u200B\u2060-\u2065\u206A-\u206F\u{E0000}-\u{E007F}]|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{2,}/gu,
  },
  { kind: 'control-character', pattern: /[\0-\x08\x0E-\x1F\x7F]/g },
];
const flag = '\u{1F3F4}';

/** As many are looked for in a text: who has so many knows the rest. */
const most = 100;

/** Characters that hide a text, or show it in another order than it is read in; the first hundred of each kind. */
export function hiddenIn(text: string): UnsafeText[] {
  return characters.flatMap(({ kind, pattern }) =>
    [...text.matchAll(pattern)]
      .filter(([found]) => !found.startsWith(flag))
      .slice(0, most)
      .map(({ index }) => ({ line: lineAt(text, index), kind })),
  );
}

/** The parser says what is HTML and what is a link: neither is, in code. Links are looked at as they are written. */
const parser = markdownIt({ html: true, maxNesting: 20 });
parser.validateLink = () => true;
parser.normalizeLink = (url) => url;

/** What runs where Markdown is rendered with its HTML: elements, event handlers, links. */
export function runningIn(markdown: string): UnsafeText[] {
  // No element begins otherwise, and no link; an entity may stand for the first character of either.
  return /[<[&]/.test(markdown) ? parser.parse(markdown, {}).flatMap(ofBlock) : [];
}

function ofBlock({ type, map, content, children }: Token): UnsafeText[] {
  const first = (map?.[0] ?? 0) + 1;
  if (type === 'html_block') return ofHtml(content, first);
  const found: UnsafeText[] = [];
  let line = first;
  for (const child of children ?? []) {
    if (child.type === 'softbreak' || child.type === 'hardbreak') line += 1;
    else if (child.type === 'html_inline' || child.type === 'text') {
      // What is no HTML to this parser may be to a careless one.
      found.push(...ofHtml(child.content, line));
      line += lineAt(child.content, child.content.length) - 1;
    } else {
      const url = child.attrGet('href') ?? child.attrGet('src');
      if (url !== null && isScript(String(url))) found.push({ line, kind: 'script-link' });
    }
  }
  return found;
}

/** As HTML ends them: `<!-->` is one, too. */
const comment = /<!--(?:-?>|[\s\S]*?(?:--!?>|$))/g;
const tag = /<([a-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^'">])*)/gi;
const attribute = /([^\s"'<>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/g;

/** Of no use but to run something, with or without attributes. */
const running = new Set(['script', 'iframe']);
/** Run or load something by an attribute; without one they may be words in angle brackets. */
const loading = new Set(['object', 'embed', 'frame', 'applet', 'base', 'meta', 'link']);

function ofHtml(html: string, first: number): UnsafeText[] {
  if (!html.includes('<')) return [];
  const visible = html.replace(comment, (text) => text.replace(/[^\n]/g, ' '));
  return [...visible.matchAll(tag)]
    .flatMap(({ index, 1: name = '', 2: rest = '' }) =>
      [...new Set(kindsOf(name.toLowerCase(), rest))].map((kind) => ({ index, kind })),
    )
    .slice(0, most)
    .map(({ index, kind }) => ({ line: first + lineAt(visible, index) - 1, kind }));
}

function kindsOf(element: string, rest: string): string[] {
  const attributes = [...rest.matchAll(attribute)].map(([, key = '', double, single, bare]) => ({
    key: key.toLowerCase(),
    value: double ?? single ?? bare ?? '',
  }));
  const runs = running.has(element) || (loading.has(element) && attributes.length > 0);
  return [
    ...(runs ? [element] : []),
    ...attributes.flatMap(({ key, value }) => {
      if (/^on[a-z]{3,}$/.test(key)) return ['event-handler'];
      return key === 'srcdoc' || isScript(value) ? ['script-link'] : [];
    }),
  ];
}

/** Whether a browser that follows it would run it: it reads entities, and passes over blanks and control characters. */
function isScript(url: string): boolean {
  const plain = parser.utils.unescapeAll(url).replace(/[\0-\x20]/g, '');
  return /^(?:javascript|vbscript|livescript):|^data:(?:text\/html|image\/svg|application\/xhtml|text\/xml)/i.test(
    plain,
  );
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
