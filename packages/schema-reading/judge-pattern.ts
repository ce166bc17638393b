import isSafe from 'safe-regex2';
import { isAmbiguous } from './ambiguous-choices.js';
import { withoutHarmless } from './harmless-repetitions.js';

/** Repetitions in one expression beyond this number count as hostile. */
const MAX_REPETITIONS = 100;
const MAX_LENGTH = 2_000;

/** Repetitions that leave no choice and nest harmlessly: an exact count of one character. */
const HARMLESS = /(?<![\\)])\{\d+\}/g;

type Verdict = 'fine' | 'invalid' | 'expensive';

/** Of the last expressions: a document has few, each in many schemas. */
const verdicts = new Map<string, Verdict>();
const MOST_VERDICTS = 1_000;

/**
 * Whether a validator may run an expression of a document: it compiles as JSON Schema asks (ECMA-262, Unicode)
 * and holds neither a repetition of a repetition nor choices without end, which could take for ever.
 */
export function judgePattern(pattern: string): Verdict {
  if (pattern.length > MAX_LENGTH) return 'expensive';
  const known = verdicts.get(pattern);
  if (known !== undefined) return known;
  if (verdicts.size >= MOST_VERDICTS) verdicts.clear();
  const verdict = judge(pattern);
  verdicts.set(pattern, verdict);
  return verdict;
}

function judge(pattern: string): Verdict {
  try {
    new RegExp(pattern, 'u');
  } catch {
    return 'invalid';
  }
  const isNested = !isBounded(pattern) && !isBounded(withoutHarmless(pattern));
  return isNested || isAmbiguous(pattern) ? 'expensive' : 'fine';
}

function isBounded(pattern: string): boolean {
  return isSafe(pattern.replace(HARMLESS, ''), { limit: MAX_REPETITIONS });
}
