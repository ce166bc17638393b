/** What `eval` fails at. Pure. */
import { CliFault, exitCodes } from './cli-fault.js';
import type { Evaluation } from './eval-answer.js';

/** A measure, and the least that it must be. */
export interface Gate {
  readonly measure: string;
  readonly least: number;
}

const measures = ['hit1', 'mrr', 'ndcg10', 'recall1', 'recall3', 'recall5', 'recall10'];

/**
 * `hit1=0.6`, `nDCG@10=0.7`; a bare number is of hit1. The list of --fail-under takes in what follows it: its last word,
 * where it is none of these, is the file. Throws CliFault for what is no gate.
 *
 * @param words as the command line gives them
 */
export function gatesOf(
  words: readonly string[],
  file: string | undefined,
): { readonly gates: readonly Gate[]; readonly file: string | undefined } {
  const last = words.at(-1);
  if (file === undefined && last !== undefined && words.length > 1 && !/=|^[\d.]+$/.test(last)) {
    return { gates: words.slice(0, -1).map(gateOf), file: last };
  }
  return { gates: words.map(gateOf), file };
}

function gateOf(word: string): Gate {
  const [, name = 'hit1', value = ''] = /^(?:([^=]+)=)?([\d.]+)$/.exec(word) ?? [];
  const measure = name.toLowerCase().replace('@', '');
  const least = value === '' ? NaN : Number(value);
  if (measures.includes(measure) && least >= 0 && least <= 1) return { measure, least };
  const known = measures.join(', ');
  throw new CliFault(exitCodes.usage, `--fail-under ${word}: say one of ${known}, and a number from 0 to 1.`);
}

/** Why the gates are not passed; empty where they are. */
export function faultsOf(
  { metrics, comparison }: Pick<Evaluation, 'metrics' | 'comparison'>,
  gates: readonly Gate[],
  noWorse: boolean,
): string[] {
  const under = gates.flatMap(({ measure, least }) => {
    const [, k] = /^recall(\d+)$/.exec(measure) ?? [];
    const value = Number(k === undefined ? metrics[measure] : metrics.recall[k]);
    return value < least ? [`${measure} is ${String(value)}, less than ${String(least)}`] : [];
  });
  if (!noWorse || comparison === undefined) return under;
  const { compared, worse } = comparison;
  if (compared === 0) return [...under, 'nothing was asked that the earlier run asked too'];
  if (worse.length === 0) return under;
  return [
    ...under,
    worse.length === 1 ? '1 prompt has become worse' : `${String(worse.length)} prompts have become worse`,
  ];
}
