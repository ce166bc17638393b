import isSafe from 'safe-regex2';
import { withoutHarmless } from './harmless-repetitions.js';

/** Repetitions in one expression beyond this number count as hostile. */
const MAX_REPETITIONS = 100;
const MAX_LENGTH = 2_000;

/** Repetitions that leave no choice and nest harmlessly: an exact count of one character. */
const HARMLESS = /(?<![\\)])\{\d+\}/g;

/**
 * Whether a validator may run an expression of a document: it compiles as JSON Schema asks (ECMA-262, Unicode)
 * and holds no repetition of a repetition, which could take for ever.
 */
export function judgePattern(pattern: string): 'fine' | 'invalid' | 'expensive' {
  if (pattern.length > MAX_LENGTH) return 'expensive';
  try {
    new RegExp(pattern, 'u');
  } catch {
    return 'invalid';
  }
  return isBounded(pattern) || isBounded(withoutHarmless(pattern)) ? 'fine' : 'expensive';
}

function isBounded(pattern: string): boolean {
  return isSafe(pattern.replace(HARMLESS, ''), { limit: MAX_REPETITIONS });
}
