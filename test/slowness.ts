import { performance } from 'node:perf_hooks';

/** Milliseconds of processor time that the yardstick takes on an idle machine of today. */
const USUAL = 8;
const text = JSON.stringify(
  Array.from({ length: 4_000 }, (_, at) => ({ id: at, name: `name ${String(at)}`, tags: ['a', 'b'] })),
);

/**
 * How many times slower than usual this machine is just now, at least 1. A limit in milliseconds that a test holds on to is
 * multiplied by it: a machine shared with others says nothing about our code.
 */
export function slowness(): number {
  const before = performance.now();
  for (let turn = 0; turn < 4; turn += 1) JSON.stringify(JSON.parse(text));
  return Math.max(1, (performance.now() - before) / USUAL);
}
