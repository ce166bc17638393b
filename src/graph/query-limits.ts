/** What keeps one query from becoming everybody's trouble. */
export const queryLimits = {
  /** Milliseconds of one statement; on the embedded database of all statements of a query, asked at each step of a walk. */
  statementTimeout: 5_000,
  /** Rows of a traversal that are counted, and milliseconds that this may take. */
  countedRows: 10_000,
  countTimeout: 1_000,
  /** Bytes of an answer, as JSON. */
  answerBytes: 4 * 1024 * 1024,
  /** Queries a minute: of one subject with all its tokens, and of one token. */
  perSubject: 12_000,
  perToken: 6_000,
} as const;

/** SQLSTATE of a statement that was ended: by the server, or by its own clock. */
export const timeIsOver: readonly string[] = ['57014', '22012'];

/** Role that can read the views of the graph, and nothing else. */
export const queryRole = 'portal_catalog_query';
