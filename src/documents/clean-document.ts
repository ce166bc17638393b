import { vettedCharacters } from '../platform/validation/untrusted-text.js';
import { UnreadableDocument, type WarningSink } from './findings.js';
import { below, isObject, type Json, type JsonObject } from './json.js';
import { tooManyNodes, type DocumentLimits } from './limits.js';

/** NUL, which PostgreSQL's text can't hold, and halves of surrogate pairs, which UTF-8 can't. */
const UNFIT = /[\0\p{Surrogate}]/u;
const EVERY_UNFIT = /[\0\p{Surrogate}]/gu;

/**
 * Makes parsed text safe to work on, in place: within the limits of depth and number, a tree (no value
 * inside itself), free of NUL and lone surrogates, of `__proto__` members and of numbers that JSON lacks.
 *
 * @throws UnreadableDocument `document_too_deep`, `document_too_large`, `document_contains_itself`
 */
export function cleanDocument(value: unknown, limits: DocumentLimits, warnings: WarningSink): Json {
  return new Cleaner(limits, warnings).clean(value);
}

class Cleaner {
  private nodes = 0;
  private characters = 0;
  private readonly path: (string | number)[] = [];
  private readonly above = new Set<object>();

  constructor(
    private readonly limits: DocumentLimits,
    private readonly warnings: WarningSink,
  ) {}

  clean(value: unknown): Json {
    if (++this.nodes > this.limits.nodes) throw tooManyNodes(this.limits.nodes);
    if (typeof value === 'string') return this.cleanText(value);
    if (typeof value === 'object' && value !== null) return this.cleanHolder(value as Json[] | JsonObject);
    if (typeof value === 'boolean' || value === null) return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (typeof value === 'bigint') return Number(value);
    this.warn('value_replaced', 'A value that JSON does not have was read as null.');
    return null;
  }

  private cleanText(text: string): string {
    this.characters += text.length;
    if (this.characters > 2 * this.limits.bytes) {
      throw new UnreadableDocument(
        'document_too_large',
        'With what its YAML aliases repeat, the document is far longer than it looks. Refer to parts by $ref.',
      );
    }
    const { text: vetted, findings } = vettedCharacters(this.fit(text));
    for (const { code, detail } of findings) this.warn(code, detail);
    return vetted;
  }

  private fit(text: string): string {
    if (!UNFIT.test(text)) return text;
    this.warn('characters_replaced', 'NUL or a lone surrogate was replaced by U+FFFD.');
    return text.replace(EVERY_UNFIT, '\ufffd');
  }

  private cleanHolder(holder: Json[] | JsonObject): Json {
    if (this.above.has(holder)) this.refuseCycle();
    if (this.path.length >= this.limits.depth) this.refuseDepth();
    this.above.add(holder);
    if (isObject(holder)) this.cleanMembers(holder);
    else {
      for (let index = 0; index < holder.length; index++) {
        const value = holder[index];
        const cleaned = this.cleanAt(index, value);
        if (cleaned !== value) holder[index] = cleaned;
      }
    }
    this.above.delete(holder);
    return holder;
  }

  private cleanMembers(holder: JsonObject): void {
    for (const key of Object.keys(holder)) {
      if (key === '__proto__') {
        Reflect.deleteProperty(holder, key);
        this.warn('member_dropped', 'A member called __proto__ was left out.');
        continue;
      }
      const value = holder[key];
      const cleaned = this.cleanAt(key, value);
      const name = this.cleanText(key);
      if (name !== key) Reflect.deleteProperty(holder, key);
      if (name !== key || cleaned !== value) holder[name] = cleaned;
    }
  }

  private cleanAt(step: string | number, value: unknown): Json {
    this.path.push(step);
    const cleaned = this.clean(value);
    this.path.pop();
    return cleaned;
  }

  private warn(code: string, detail: string): void {
    this.warnings.warn(code, below('', ...this.path), detail);
  }

  private refuseDepth(): never {
    throw new UnreadableDocument(
      'document_too_deep',
      `The document is nested more than ${String(this.limits.depth)} levels deep. Flatten it, or refer to parts by $ref.`,
      below('', ...this.path.slice(0, 10)),
    );
  }

  private refuseCycle(): never {
    throw new UnreadableDocument(
      'document_contains_itself',
      'A YAML alias refers to what contains it. Refer to schemas that contain themselves by $ref.',
      below('', ...this.path),
    );
  }
}
