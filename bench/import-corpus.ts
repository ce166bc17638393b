import { existsSync } from 'node:fs';
import { readImport } from '../src/importers/read-import.worker.js';
import { parseSample, samplesOf, type Sample } from './corpus.js';
import { alternately, milliseconds, progress, report } from './harness.js';
import { withService, type Service } from './import-service.js';
import { startProgram, withDatabase } from './programs.js';

/** Real descriptions beside the project: a folder for each format. */
const corpus = process.env['CORPUS'] || '../shared/corpus';

/** Documents that are on their way at once: one is read while another is written. */
const AT_ONCE = 4;

/**
 * Every document of the corpus imported over HTTP, as APIs that are new, against parsing and upgrading them alone in this
 * process. Both are run several times, in turns. So is what the workers do alone, in this process: reading, checking and
 * mending what is written later; and, on PostgreSQL, the least that can be called an import.
 */
export async function benchImportCorpus(url?: string): Promise<void> {
  if (!existsSync(corpus)) {
    progress(`import-corpus: left out, there is no folder ${corpus}; CORPUS names another`);
    return;
  }
  const samples = samplesOf(corpus);
  const parsing = () =>
    milliseconds(() => {
      for (const sample of samples) parseSample(sample);
    });
  await withService('corpus', url, (service) => measure(service, samples, parsing));
  if (url !== undefined) await withDatabase(url, (own) => measureBare(own, samples, parsing));
}

/** Milliseconds that parsing and upgrading all of them takes. */
type Parsing = () => Promise<number>;

async function measure(service: Service, samples: readonly Sample[], parsing: Parsing): Promise<void> {
  const idle = service.peakMegabytes();
  let round = 0;
  let totals: number[] = [];
  const importing = async () => {
    round += 1;
    totals = [];
    return bringAll(samples, async (sample) => {
      totals.push(await bring(service, sample, round));
    });
  };
  const reading = () =>
    milliseconds(async () => {
      for (const { document } of samples)
        await readImport({
          body: JSON.stringify({ document }),
          mediaType: 'application/json',
          holds: 'document',
        });
    });
  const { figure, baseline } = await alternately(5, importing, parsing);
  report({ bench: 'import the corpus', figure, unit: 'ms', baseline });
  for (const [what, count] of [
    ['documents', samples.length],
    ['operations', totals.reduce((sum, total) => sum + total, 0)],
  ] as const) {
    const rates = { figure: (count * 1000) / figure, baseline: (count * 1000) / baseline };
    report({ bench: `import the corpus: ${what}`, unit: `${what}/s`, ...rates });
  }
  const read = { bench: 'read the corpus, one document after another, nothing written', unit: 'ms' };
  report({ ...read, ...(await alternately(5, reading, parsing)) });
  report({
    bench: 'most memory of service and workers while importing the corpus',
    figure: service.peakMegabytes(),
    unit: 'MB',
    baseline: idle,
  });
}

async function measureBare(url: string, samples: readonly Sample[], parsing: Parsing): Promise<void> {
  const bare = await startProgram('./bare-import.server.js', [url]);
  const importing = () =>
    bringAll(samples, async (sample) => {
      await (await fetch(bare.address, { method: 'POST', body: JSON.stringify(sample) })).json();
    });
  try {
    const least = {
      bench: 'parse the corpus in two processes, copy its operations as they stand',
      unit: 'ms',
    };
    report({ ...least, ...(await alternately(5, importing, parsing)) });
  } finally {
    await bare.stop();
  }
}

/** Milliseconds that it takes to bring all, some at once. */
function bringAll(samples: readonly Sample[], bringOne: (sample: Sample) => Promise<void>): Promise<number> {
  const waiting = [...samples];
  const line = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await bringOne(next);
  };
  return milliseconds(() => Promise.all(Array.from({ length: AT_ONCE }, line)));
}

/** @returns how many operations the document holds */
async function bring(service: Service, { name, document }: Sample, round: number): Promise<number> {
  const version = { apiVersion: String(round), serviceId: 'corpus', envTag: 'dev' };
  const body = JSON.stringify({ api: { apiId: name }, version, document });
  return (JSON.parse(await service.send('POST', 'imports', body)) as { total: number }).total;
}
