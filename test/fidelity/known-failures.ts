/** Calls of which it is known that they are not right, or can't be judged, with the reason. Nothing else may be so. */
import type { TriedCall } from './judged-calls.js';

interface Known {
  readonly document: RegExp;
  readonly verdict: TriedCall['verdict'];
  readonly reason: RegExp;
  readonly why: string;
}

const known: readonly Known[] = [
  {
    document: /^/,
    verdict: 'looser',
    reason: /^Prism: body\b[^:]*: .* must match exactly one schema in oneOf$/,
    why: 'Alternatives that ask for nothing, or are told apart by values alone, are offered together: a model may give all of two, of which the document takes one.',
  },
  {
    document: /malicious-code-injection/,
    verdict: 'unjudged',
    reason: /^the decoder can’t read its path/,
    why: 'Its path key is a program in which braces and question marks stand for themselves; no reader can tell.',
  },
];

export const isKnown = (document: string, { verdict, reasons }: TriedCall): boolean =>
  known.some(
    (each) =>
      each.document.test(document) &&
      each.verdict === verdict &&
      reasons.some((reason) => each.reason.test(reason)),
  );
