import type { Of } from '../../../api/client.ts';
import { shown } from '../../../parts/shown.ts';
import type { useTexts } from '../../../texts/texts.tsx';
import { namesIn } from './report.ts';

type Texts = ReturnType<typeof useTexts>;
type Finding = Of<'SpecFinding'>;

/** What a change means for those who call the tool, as two parts: of what, and what becomes of it. */
export function sentenceOf(finding: Finding, texts: Texts): readonly [of: string, becomes: string] {
  const { review } = texts;
  const [side, keyword = '', change = ''] = finding.rule.split('.');
  const whole: Readonly<Record<string, string>> = review.rules;
  const named = whole[finding.rule];
  if (named !== undefined) return ['', named];
  if (side === 'annotation') return hint(finding, texts);
  if (side !== 'input' && side !== 'output') return ['', finding.rule];
  const names = namesIn(finding.pointer);
  const of = names.join('.');
  if (keyword === 'required') return required(finding, of, texts);
  return [of === '' ? review.wholes[side] : of, becomes(finding, { keyword, change, side }, texts)];
}

interface Rule {
  readonly keyword: string;
  readonly change: string;
  readonly side: 'input' | 'output';
}

function becomes({ before, after }: Finding, { keyword, change, side }: Rule, texts: Texts): string {
  const { review, schemas } = texts;
  const { becomes: words } = review;
  const types: Readonly<Record<string, string>> = schemas.types;
  const typed = (value: unknown) =>
    value === undefined
      ? schemas.any
      : [value]
          .flat()
          .map((each) => types[shown(each)] ?? shown(each))
          .join(schemas.or);
  if (keyword === 'properties') return change === 'removal' ? words.gone : words.isNew;
  if (keyword === 'type') return words.other(typed(after), typed(before));
  if (keyword === 'limit') return words.tooMuch;
  const limits: Readonly<Record<string, (value: string) => string>> = schemas.limits;
  const limit = limits[keyword];
  if (limit === undefined) return words[side][changes.has(change) ? (change as 'wider') : 'other'];
  if (after === undefined) return words.noLonger(limit(shown(before)));
  return before === undefined
    ? words.now(limit(shown(after)))
    : words.other(limit(shown(after)), limit(shown(before)));
}

const changes: ReadonlySet<string> = new Set(['wider', 'narrower', 'other']);

/** Which arguments have to be given, and which need not any more. */
function required(
  { rule, before, after }: Finding,
  of: string,
  { review }: Texts,
): readonly [string, string] {
  const [old, now] = [before, after].map((list) => (Array.isArray(list) ? (list as string[]) : []));
  const below = (name: string) => (of === '' ? name : `${of}.${name}`);
  const missing = (from: readonly string[] = [], others: readonly string[] = []) =>
    from
      .filter((name) => !others.includes(name))
      .map(below)
      .join(', ');
  const words = review.needed[rule.startsWith('input') ? 'input' : 'output'];
  const [added, dropped] = [missing(now, old), missing(old, now)];
  return added === '' ? [dropped, words.dropped] : [added, words.added];
}

function hint({ pointer, after }: Finding, { review, records }: Texts): readonly [string, string] {
  const name = pointer.split('/').pop() ?? '';
  const names: Readonly<Record<string, string>> = review.hints;
  const said = after === undefined ? records.notSaid : after === true ? records.yes : records.no;
  return [names[name] ?? name, review.becomes.now(said)];
}
