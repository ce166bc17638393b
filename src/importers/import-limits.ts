/** What a document may cost. Real descriptions stay far below; GitHub's has 258,000 nodes, 21 levels deep. */
export interface ImportLimits {
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

export const importLimits: ImportLimits = {
  bytes: 32 * 1024 * 1024,
  depth: 200,
  nodes: 2_000_000,
  operations: 20_000,
  inputSchemaLength: 256 * 1024,
  outputSchemaLength: 128 * 1024,
  totalLength: 64 * 1024 * 1024,
};
