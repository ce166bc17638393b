import { judgePattern } from './judge-pattern.js';

/** Characters that may follow a backslash in Unicode expressions, inside and outside of a class. */
const ESCAPABLE = /[\^$\\.*+?()[\]{}|/\dA-Za-z]/;

/**
 * Mends what older dialects allow and Unicode expressions don't: needless escapes (`\_`, `\@`, `\-` outside
 * of a class). Undefined where that is not enough.
 */
export function mendPattern(pattern: string): string | undefined {
  let mended = '';
  let inClass = false;
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index] as string;
    const next = pattern[index + 1];
    if (character === '\\' && next !== undefined) {
      index++;
      mended += ESCAPABLE.test(next) || (inClass && next === '-') ? character + next : next;
      continue;
    }
    if (character === '[') inClass = true;
    if (character === ']') inClass = false;
    mended += character;
  }
  return mended !== pattern && judgePattern(mended) === 'fine' ? mended : undefined;
}
