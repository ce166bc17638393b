import { hiddenIn, runningIn, type UnsafeText } from './unsafe-text.js';

/** A text to be looked through. */
export interface LookedText {
  readonly text: string;
  /** Whether it is rendered as Markdown. */
  readonly isMarkdown: boolean;
}

/** What in each of the texts runs or hides; what a thread of the pool is asked. */
export default function unsafeIn(texts: readonly LookedText[]): UnsafeText[][] {
  return texts.map(({ text, isMarkdown }) => [...hiddenIn(text), ...(isMarkdown ? runningIn(text) : [])]);
}
