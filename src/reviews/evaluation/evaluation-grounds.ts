/** Which evaluations an approval may rest on. Pure. */
import { evalConfigDigest } from '../../registry/shared.js';
import type { KnownVersion } from '../../tools/public.js';
import type { VersionEvaluation } from '../../tools/shared.js';

/** How much less of a measure a version may have where an approval rests on its evaluation. */
export const defaultMargin = 0.02;

/** What keeps an evaluation from being what an approval rests on, whatever it has found: such ones are for exploring. */
export function shortOfGrounds(
  { margin, asked }: Pick<VersionEvaluation, 'margin' | 'asked'>,
  kept: KnownVersion['evalConfig'],
): readonly string[] {
  return [
    ...(margin === undefined || margin > defaultMargin
      ? [`was evaluated with a wider margin than ${String(defaultMargin)}`]
      : []),
    ...(asked?.allDataSets === true ? [] : ['was not evaluated by all data sets of the host']),
    ...otherConfig(asked?.configDigest ?? null, kept),
  ];
}

/** One that came with the request says nothing: its author could ask what passes. */
function otherConfig(asked: string | null, kept: KnownVersion['evalConfig']): readonly string[] {
  if (asked === (kept && evalConfigDigest(kept))) return [];
  return [
    kept === null
      ? 'was evaluated by a config that is not kept with it'
      : 'was evaluated by another config than the one that is kept with it',
  ];
}
