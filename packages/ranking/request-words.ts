import { wordsOf } from './words.js';

/**
 * Words that people put around what they want, whatever that is. Tools hold some of them, too ("assistant", "provides"),
 * so they are no stop words; but they say less than how rare they are. Verbs that tell tools apart (create, delete, send)
 * are none.
 */
export const requestWords: ReadonlySet<string> = new Set(
  wordsOf(
    'able ask asked assist assistance best curious detail detailed find give good great greetings hello help hey hi ' +
      'immediate interested kindly know like look morning ok okay possible provide recommend request require show ' +
      'specific specifically specified suggest suggestion sure tell thank thanks there understand urgently use used ' +
      'using various want way wondering yes',
  ),
);
