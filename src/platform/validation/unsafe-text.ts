/** Finds parts of a text that run or are hidden, in time proportional to its length. Threads of the pool run this file, too. */
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import markdownIt, { type Token } from 'markdown-it';
import { lineCounter, MAX_COUNTED } from './faults.js';
import { flagOfRegion, isFlag, spelledVariations, steering, unseen } from './unseen-characters.js';

/** A part of a text that runs or is hidden. */
export interface UnsafeText {
  /** From 1. */
  readonly line: number;
  /** `script`, `iframe`, `event-handler`, `script-link`, `bidi-control`, `invisible-character`, `control-character`, … */
  readonly kind: string;
  /** The character, where it is one: `U+009B`. */
  readonly character?: string;
}

const { turning, widthless, byteOrder, tags, unassigned } = unseen;
/** Not what scripts are written with: joiners, marks of direction, soft hyphens and fillers; nor a mark at the beginning of a file. */
const invisible = String.raw`${flagOfRegion}|(?<!^)${byteOrder}|[${widthless}${tags}${unassigned}]|${spelledVariations}`;
const characters: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  { kind: 'bidi-control', pattern: new RegExp(`[${turning}]`, 'gu') },
  { kind: 'invisible-character', pattern: new RegExp(invisible, 'gu') },
  { kind: 'control-character', pattern: new RegExp(`[${steering}]`, 'gu') },
];

/** Characters that hide a text, or show it in another order than it is read in; of each kind as many as are counted. */
function hiddenIn(text: string): UnsafeText[] {
  return characters.flatMap(({ kind, pattern }) => {
    const lineOf = lineCounter(text);
    const found: UnsafeText[] = [];
    for (const { 0: hidden, index } of text.matchAll(pattern)) {
      if (isFlag(hidden)) continue;
      const line = lineOf(index);
      const characters = Array.from(hidden.slice(0, 2 * MAX_COUNTED));
      found.push(...characters.map((character) => ({ line, kind, character: codePoint(character) })));
      if (found.length >= MAX_COUNTED) break;
    }
    return found.slice(0, MAX_COUNTED);
  });
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The parser says what is HTML and what is a link: neither is, in code. Links are looked at as they are written. */
const parser = markdownIt({ html: true, maxNesting: 20 });
parser.validateLink = () => true;
parser.normalizeLink = (url) => url;

/** What runs where Markdown is rendered with its HTML: elements, event handlers, links. As many as are counted. */
function runningIn(markdown: string): UnsafeText[] {
  // No element begins otherwise, and no link has its address elsewhere; an entity may stand for a character of either.
  if (!/[<&]|\][(:]/.test(markdown)) return [];
  const found: UnsafeText[] = [];
  for (const block of parser.parse(markdown, {})) {
    found.push(...ofBlock(block));
    if (found.length >= MAX_COUNTED) break;
  }
  return found.slice(0, MAX_COUNTED);
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
      line += child.content.split('\n').length - 1;
    } else {
      const url = child.attrGet('href') ?? child.attrGet('src');
      if (url !== null && isScript(String(url))) found.push({ line, kind: 'script-link' });
    }
  }
  return found;
}

/** Elements that only serve to run something, with or without attributes. */
const running = new Set(['script', 'iframe']);
/** Elements that run or load something by an attribute; without one they may be text in angle brackets. */
const loading = new Set(['object', 'embed', 'frame', 'applet', 'base', 'meta', 'link']);

/**
 * Elements in which HTML knows text alone, and CDATA, in which XML does: within SVG or MathML the one is not so, without them
 * the other. Marked, they are elements and comments like any other, and what stands in them is looked at.
 */
const textOnly =
  /<(?=(?:iframe|noembed|noframes|noscript|plaintext|script|style|title|textarea|xmp)[\s/>])|<!(?=\[CDATA\[)/gi;
const mark = 'x-';
/** A tag without attributes, as most are: only its name may say that it runs something. */
const bareTag = /^<\/?([a-z][a-z\d-]*)\s*\/?>$/i;

function ofHtml(html: string, first: number): UnsafeText[] {
  if (!html.includes('<')) return [];
  const [, bare] = bareTag.exec(html) ?? [];
  if (bare !== undefined && !running.has(bare.toLowerCase())) return [];
  const marked = html.replace(textOnly, (start) => start + mark);
  const look = new HtmlLook(marked, first);
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: false }, look);
  tokenizer.write(marked);
  // Ends an element that the text leaves open.
  tokenizer.write('>');
  tokenizer.end();
  look.endOfElement();
  return look.found.slice(0, MAX_COUNTED);
}

/** Collects the parts that run among those that the tokenizer finds. */
class HtmlLook implements TokenizerCallbacks {
  readonly found: UnsafeText[] = [];
  private readonly lineOf: (offset: number) => number;
  private line = 0;
  private element = '';
  private kinds = new Set<string>();
  private value = '';

  constructor(
    private readonly text: string,
    private readonly first: number,
  ) {
    this.lineOf = lineCounter(text);
  }

  onopentagname(start: number, end: number): void {
    this.endOfElement();
    const name = this.text.slice(start, end).toLowerCase();
    this.element = name.startsWith(mark) ? name.slice(mark.length) : name;
    this.line = this.first + this.lineOf(start) - 1;
    if (running.has(this.element)) this.kinds.add(this.element);
  }

  onattribname(start: number, end: number): void {
    const name = this.text.slice(start, end).toLowerCase();
    if (loading.has(this.element)) this.kinds.add(this.element);
    if (/^on[a-z]{3,}$/.test(name)) this.kinds.add('event-handler');
    if (name === 'srcdoc') this.kinds.add('script-link');
    this.value = '';
  }

  onattribdata(start: number, end: number): void {
    this.value += this.text.slice(start, end);
  }

  onattribend(): void {
    if (isScript(this.value)) this.kinds.add('script-link');
  }

  /** Keeps what was found in the element that ends here. */
  endOfElement(): void {
    if (this.found.length < MAX_COUNTED)
      this.found.push(...[...this.kinds].map((kind) => ({ line: this.line, kind })));
    this.kinds.clear();
  }

  onattribentity = ignore;
  oncdata = ignore;
  onclosetag = ignore;
  oncomment = ignore;
  ondeclaration = ignore;
  onend = ignore;
  onopentagend = ignore;
  onprocessinginstruction = ignore;
  onselfclosingtag = ignore;
  ontext = ignore;
  ontextentity = ignore;
}

function ignore(): void {
  // Nothing to collect.
}

/** Whether a browser that follows the link would run it: browsers read entities, and skip blanks and control characters. */
function isScript(url: string): boolean {
  const plain = parser.utils.unescapeAll(url).replace(/[\0-\x20]/g, '');
  return /^(?:javascript|vbscript|livescript):|^data:(?:text\/html|image\/svg|application\/xhtml|text\/xml)/i.test(
    plain,
  );
}

/** A text to be looked through. */
export interface LookedText {
  readonly text: string;
  /** Whether it is rendered as Markdown. */
  readonly isMarkdown: boolean;
}

/** The task of a thread of the pool. */
export default function unsafeIn(texts: readonly LookedText[]): UnsafeText[][] {
  return texts.map(({ text, isMarkdown }) => [...hiddenIn(text), ...(isMarkdown ? runningIn(text) : [])]);
}
