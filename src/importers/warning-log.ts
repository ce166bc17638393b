import type { ImportWarning } from './imported.js';

/** Warnings of one kind beyond this number are counted, not listed. */
const LISTED_PER_CODE = 100;

/** Takes warnings; `pointer` is a place in the document. */
export interface WarningSink {
  warn(code: string, pointer: string, detail: string): void;
}

/** A sink that remembers of what kinds the warnings were. */
export interface NotedWarnings extends WarningSink {
  readonly codes: ReadonlySet<string>;
}

export function noting(sink: WarningSink): NotedWarnings {
  const codes = new Set<string>();
  return {
    codes,
    warn: (code, pointer, detail) => {
      codes.add(code);
      sink.warn(code, pointer, detail);
    },
  };
}

/** Of a member that stands twice in one object, or a key in one mapping. */
export function warnOfDuplicate(pointer: string, warnings: WarningSink): void {
  const detail = 'This member stands there more than once; the last one was taken, the others are lost.';
  warnings.warn('duplicate_member', pointer, detail);
}

/** Of lines that close a list or mapping in flow style no further in than its key, which YAML forbids. */
export function warnOfClosers(line: number, count: number, warnings: WarningSink): void {
  const like = count > 1 ? `, as were ${String(count - 1)} lines like it below` : '';
  const detail = `Line ${String(line)} closes a list or mapping no further in than its key, which YAML forbids; it was read as if it stood one column further in${like}.`;
  warnings.warn('yaml_mended', '', detail);
}

/** Collects warnings: each place and code once, in the order met, bounded. */
export class WarningLog implements WarningSink {
  private readonly seen = new Set<string>();
  private readonly listed: ImportWarning[] = [];
  private readonly counts = new Map<string, number>();

  warn(code: string, pointer: string, detail: string): void {
    // Without a place the words tell one from another.
    const key = `${code}\n${pointer === '' ? detail : pointer}`;
    if (this.seen.has(key)) return;
    const count = (this.counts.get(code) ?? 0) + 1;
    this.counts.set(code, count);
    if (count > LISTED_PER_CODE) return;
    this.seen.add(key);
    this.listed.push({ code, pointer, detail });
  }

  /** Takes warnings about a part that is read by itself. */
  within(place: string): WarningSink {
    return {
      warn: (code, pointer, detail) => {
        this.warn(code, place + pointer, detail);
      },
    };
  }

  all(): readonly ImportWarning[] {
    const rest = [...this.counts].filter(([, count]) => count > LISTED_PER_CODE);
    return [
      ...this.listed,
      ...rest.map(([code, count]) => ({
        code,
        pointer: '',
        detail: `${String(count - LISTED_PER_CODE)} more warnings of this kind are not listed.`,
      })),
    ];
  }
}
