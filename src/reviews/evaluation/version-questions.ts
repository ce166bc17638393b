/** The prompts that a version of a tool is evaluated by, and what of their results its caller sees. Pure. */
import { RuleBroken } from '../../kernel/errors.js';
import type { EvalConfig } from '../../registry/shared.js';
import type { Question, Result } from '../../search/shared.js';

const MAX_PROMPTS = 10_000;

/** Name of a tool that the caller does not see. No tool can have it. */
const hidden = '(hidden)';

/** The questions of config and data sets and the tools' own, each once; what the config says of one comes first. */
export function questionsOf(
  config: EvalConfig | undefined,
  dataSets: readonly { readonly rows: readonly Omit<Question, 'from'>[] }[],
  own: readonly Question[],
): Question[] {
  const configured = (config?.prompts ?? []).map(
    ({ prompt, expected: expect, forbidden: forbid }): Question => ({
      prompt,
      expect,
      forbid,
      from: 'config',
    }),
  );
  const others = dataSets.flatMap(({ rows }) => rows.map((row): Question => ({ ...row, from: 'dataSet' })));
  const known = new Map<string, Question>();
  for (const each of [...configured, ...others, ...own]) {
    const key = JSON.stringify([each.prompt, [...new Set(each.expect)].sort()]);
    const earlier = known.get(key);
    const forbid = [...new Set([...(earlier?.forbid ?? []), ...(each.forbid ?? [])])];
    known.set(key, { ...(earlier ?? each), forbid });
  }
  return [...known.values()];
}

/** Prompts times tools, each pair of which is looked at twice: 10,000 prompts over 20,000 tools. */
const MAX_PAIRS = 2e8;

/** Throws RuleBroken `too_many_prompts`. */
export function refuseTooMany(questions: readonly Question[], tools: number): void {
  const most = Math.min(MAX_PROMPTS, Math.floor(MAX_PAIRS / Math.max(tools, 1)));
  if (questions.length <= most) return;
  const among = most < MAX_PROMPTS ? ` of ${String(tools)} tools` : '';
  const detail = `These are ${String(questions.length)} prompts; ${String(most)} at most are asked${among}. Name fewer data sets.`;
  throw new RuleBroken('too_many_prompts', detail);
}

/** What the caller sees: no prompt of a tool, and no name, that the token does not cover. */
export function cutTo(
  seen: ReadonlySet<string>,
  questions: readonly Question[],
  results: readonly Result[],
): Result[] {
  return results
    .filter((_, place) => {
      const { from, expect = [] } = questions[place] ?? {};
      return from !== 'own' || expect.every((name) => seen.has(name));
    })
    .map((result) => ({
      ...result,
      found: result.found.map((name) => (seen.has(name) ? name : hidden)),
    }));
}
