/** A place in a document, and what is wrong there. */
export interface Fault {
  /** RFC 6901. */
  readonly pointer: string;
  readonly detail: string;
}

/** Something about the document that its owner should know; reading went on. */
export interface DocumentWarning extends Fault {
  /** Stable. */
  readonly code: string;
}

/** The document can't be read at all. `detail` says what is wrong, where (line and column), and what to do. */
export class UnreadableDocument extends Error {
  constructor(
    readonly code: string,
    readonly detail: string,
    /** RFC 6901, where the fault has a place in a parsed document. */
    readonly pointer: string = '',
    /** Every fault, where more than one was looked for. */
    readonly faults: readonly Fault[] = [{ pointer, detail }],
  ) {
    super(detail);
  }
}

/** Takes warnings; `pointer` is a place in the document. */
export interface WarningSink {
  warn(code: string, pointer: string, detail: string): void;
}

/** Wraps a sink so that the codes of what it was given are known. */
export function recordingCodes(sink: WarningSink): WarningSink & { readonly codes: ReadonlySet<string> } {
  const codes = new Set<string>();
  return {
    codes,
    warn: (code, pointer, detail) => {
      codes.add(code);
      sink.warn(code, pointer, detail);
    },
  };
}

/** Wraps a sink for a part that is read by itself: its pointers start at `place`. */
export function warningsWithin(sink: WarningSink, place: string): WarningSink {
  return {
    warn: (code, pointer, detail) => {
      sink.warn(code, place + pointer, detail);
    },
  };
}

/** Warnings of one code beyond this number are counted, not listed. */
const LISTED_PER_CODE = 100;

/** Collects warnings: each place and code once, in the order met, bounded. */
export class WarningLog implements WarningSink {
  private readonly seen = new Set<string>();
  private readonly listed: DocumentWarning[] = [];
  private readonly counts = new Map<string, number>();

  warn(code: string, pointer: string, detail: string): void {
    // Without a place the text tells one from another.
    const key = `${code}\n${pointer === '' ? detail : pointer}`;
    if (this.seen.has(key)) return;
    const count = (this.counts.get(code) ?? 0) + 1;
    this.counts.set(code, count);
    if (count > LISTED_PER_CODE) return;
    this.seen.add(key);
    this.listed.push({ code, pointer, detail });
  }

  all(): readonly DocumentWarning[] {
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
