/** What can be found: a tool, a skill or an endpoint, as texts under the names that weigh them. */
export interface Searchable {
  readonly id: string;
  readonly texts: Readonly<Partial<Record<Field, string>>>;
  /** What people say when they want it. */
  readonly examples?: readonly string[];
}

/**
 * How much a word counts in a field, how many words such a field usually has, and how far a longer one counts less (b
 * of BM25F). The usual lengths are fixed, so that a score says nothing about documents that the asker may not see.
 */
export const fields = {
  name: { weight: 2, usual: 3, slope: 0.3 },
  description: { weight: 1.5, usual: 12, slope: 0.5 },
  /** Semantic description and keywords, domain, namespace, category, tags. */
  keywords: { weight: 1.5, usual: 6, slope: 0.5 },
  /** Names of the parameters. */
  parameters: { weight: 1, usual: 5, slope: 0.3 },
  /** Descriptions of the parameters; path; text of a skill. */
  details: { weight: 0.7, usual: 40, slope: 0.5 },
  /** Values that a parameter may take. */
  values: { weight: 0.7, usual: 6, slope: 0.5 },
  /** Names and descriptions of the skills that offer a tool. */
  skills: { weight: 0.4, usual: 8, slope: 0.5 },
} as const;

export type Field = keyof typeof fields;
export const fieldNames = Object.keys(fields) as readonly Field[];
