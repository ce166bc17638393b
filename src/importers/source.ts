import type { Json } from './imported.js';

/** A document parsed and made safe, and its text as it may be stored. */
export interface ReadSource {
  /** The text that was given, or that of the parsed document where secrets had to go. */
  readonly text: string;
  /** Of a format that is neither JSON nor YAML, the text. */
  readonly value: Json;
  /** The texts of such a format, where they were sent as several files. */
  readonly parts?: readonly { readonly path: string; readonly text: string }[];
}

/** What the reader is told about a text. */
export interface SourceHints {
  /** One of YAML admits YAML that starts with a brace. */
  readonly mediaType: string;
  /** What it should be, where somebody knows. */
  readonly format: string | undefined;
}
