/** What every bench needs: a figure beside its baseline from the same run, as one JSON line. */

export interface Measured {
  /** What was measured, in words that stay. */
  readonly bench: string;
  readonly figure: number;
  /** `req/s`, `ms`, `MB`, … */
  readonly unit: string;
  /** In the same unit. */
  readonly baseline: number;
}

/** Prints `{bench, figure, unit, baseline, ratio}`. */
export function report({ bench, figure, unit, baseline }: Measured): void {
  const line = { bench, figure: rounded(figure), unit, baseline: rounded(baseline) };
  console.log(JSON.stringify({ ...line, ratio: Math.round((figure / baseline) * 1000) / 1000 }));
}

/** Tells how far a bench is, on a terminal or in a log, beside the figures. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('There is no median of nothing.');
  return middle;
}

/** The value below which a share of the values lies; of few values the greatest. */
export function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? NaN;
}

/**
 * Takes turns between the thing and its baseline, so that what else the machine does hits both, and gives the
 * medians. The first turn of each only warms up.
 */
export async function alternately(
  turns: number,
  work: () => Promise<number>,
  baselineWork: () => Promise<number>,
): Promise<{ readonly figure: number; readonly baseline: number }> {
  const figures: number[] = [];
  const baselines: number[] = [];
  for (let turn = 0; turn <= turns; turn += 1) {
    const [baseline, figure] = [await baselineWork(), await work()];
    if (turn === 0) continue;
    baselines.push(baseline);
    figures.push(figure);
  }
  return { figure: median(figures), baseline: median(baselines) };
}

/** Milliseconds that the work took. */
export async function milliseconds(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Three significant digits, all digits before the point. */
function rounded(value: number): number {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
