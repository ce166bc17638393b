import { UnreadableDocument } from './findings.js';

/** Bounds of what a document may cost. Real descriptions stay far below; GitHub's has 258,000 nodes, 21 levels deep. */
export interface DocumentLimits {
  /** Size of the document, in bytes of UTF-8. */
  readonly bytes: number;
  /** Objects and lists inside one another. */
  readonly depth: number;
  /** Values in the document, with what YAML aliases repeat. */
  readonly nodes: number;
  readonly operations: number;
  /** JSON length of one resolved input schema; what lies deeper than fits accepts anything. */
  readonly inputSchemaLength: number;
  readonly outputSchemaLength: number;
  /** JSON length of all endpoints together. */
  readonly totalLength: number;
}

export const documentLimits: DocumentLimits = {
  bytes: 32 * 1024 * 1024,
  depth: 200,
  nodes: 2_000_000,
  operations: 20_000,
  inputSchemaLength: 256 * 1024,
  outputSchemaLength: 128 * 1024,
  totalLength: 64 * 1024 * 1024,
};

/** Items in one list of a schema: as many as one object of a body has members. */
export const MAX_ITEMS = 10_000;

/** Bounds of a text that is read on the main thread: some 50 ms at most. Longer ones belong into a worker. */
export const smallTextLimits = { ...documentLimits, bytes: 128 * 1024, depth: 60, nodes: 10_000 };

/** Bounds of a structured skill document, which is read on the main thread too. */
export const skillDocumentLimits = { ...documentLimits, bytes: 1024 * 1024, depth: 40, nodes: 40_000 };

/** Bounds of what stands between the fences of a SKILL.md. */
export const frontmatterLimits = { ...documentLimits, bytes: 32 * 1024, depth: 20, nodes: 2_000 };

/** Bounds of a folder or archive, unpacked: its files, and the bytes of all of them together. */
export interface FolderLimits {
  readonly files: number;
  readonly bytes: number;
}

/** Bounds of the folder of a skill, which is kept in the log as it is. */
export const skillFolderLimits: FolderLimits = { files: 512, bytes: 4 * 1024 * 1024 };

/** Bounds of an API description that comes as several files. */
export const uploadLimits: FolderLimits = { files: 10_000, bytes: documentLimits.bytes };

const [COMMA, BRACKET, BRACE, LINE_END] = [0x2c, 0x5b, 0x7b, 0x0a];

/**
 * Refuses a text that must hold far more values than are allowed, before memory is taken for it. Separators stand in
 * sentences too, so twice as many pass; what passes is counted value by value later.
 *
 * @throws UnreadableDocument `document_too_large`
 */
export function checkSeparators(text: string, maxNodes: number, byLine = false): void {
  if (text.length <= 2 * maxNodes) return;
  let separators = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === COMMA || code === BRACKET || code === BRACE || (byLine && code === LINE_END)) separators++;
  }
  if (separators > 2 * maxNodes) throw tooManyNodes(maxNodes);
}

export function tooManyNodes(maxNodes: number): UnreadableDocument {
  const detail = `The document has more than ${String(maxNodes)} values. Split it into several.`;
  return new UnreadableDocument('document_too_large', detail);
}
