/**
 * What parts of the ranking are worth. They were learnt on sets of prompts, each without the set that it was then tried on
 * ([decision 83](../../docs/decisions/0083-what-ranks-a-tool.md)); `npm run bench retrieval` learns and tries them again.
 */
export interface Worths {
  /** Of a word that people put around any request, where 1 is that of another word as rare. */
  readonly request: number;
  /** What it adds to the words of a document that the prompt holds its whole name: 0.5 is half as much again. */
  readonly named: number;
  /** Of the examples, where 1 is that of the words. */
  readonly example: number;
}

export const learntWorths: Worths = { request: 0.5, named: 0.5, example: 0.4 };
