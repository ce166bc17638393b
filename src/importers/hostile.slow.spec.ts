import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describeUnless } from '../../test/unless.js';
import { hostileDocuments } from '../../test/hostile-documents.js';
import { hostileTexts } from '../../test/hostile-texts.js';
import { writeTar, writeZip } from '../documents/archive.stream.js';
import { ImportPool } from './import-pool.js';

const limits = { workers: 1, memoryMib: 300 };
/** A worker of 300 MiB and the service's time: what needs more, or takes longer, is ended by the pool, which rejects. A refusal is a result. */
const shared = new ImportPool(limits);
afterAll(() => {
  shared.close();
});

async function read(document: unknown, pool = shared): Promise<string | number | undefined> {
  const body = new TextEncoder().encode(JSON.stringify({ document }));
  const { document: found, refusal } = await pool.read(
    {
      body,
      mediaType: 'application/json',
      holds: 'document',
    },
    'host',
  );
  return refusal?.code ?? found?.offers.length;
}

const file = (path: string, bytes: string | Buffer) => ({ path, bytes: Buffer.from(bytes) });
const bomb = [file('openapi.yaml', Buffer.alloc(40 * 1024 * 1024, ' '))];
const api = file('openapi.yaml', 'openapi: 3.1.0\npaths: {}\n');
/** Writers take no path that leads out: it is put in the place of one as long. */
async function slippingZip(): Promise<Buffer> {
  const path = '../../../etc/cron.d/x.yaml';
  const honest = 'x'.repeat(path.length);
  const bytes = Buffer.from(await writeZip([api, file(honest, 'a: 1')]));
  return Buffer.from(bytes.toString('latin1').replaceAll(honest, path), 'latin1');
}
const zeros = () => Promise.resolve(gzipSync(Buffer.alloc(100 * 1024 * 1024)));
const archives: [name: string, pack: () => Promise<Uint8Array>, end: string][] = [
  ['a zip that unpacks to far more than it is', () => writeZip(bomb), 'document_too_expensive'],
  ['a tar that unpacks to far more than it is', () => writeTar(bomb), 'document_too_expensive'],
  ['zeros that unpack to far more than they are', zeros, 'document_too_expensive'],
  ['a zip with a path out of its folder', slippingZip, 'unsafe_path'],
];
async function asUpload(pack: () => Promise<Uint8Array>): Promise<object> {
  const archive = Buffer.from(await pack());
  expect(archive.length).toBeLessThan(200_000);
  return { archive: archive.toString('base64') };
}

describe('a hostile document', () => {
  it.each([...hostileDocuments, ...hostileTexts])('%s', async (_name, document, end) => {
    expect(await read(document)).toBe(end);
  });

  it.each(archives)('%s', async (_name, pack, end) => {
    expect(await read(await asUpload(pack))).toBe(end);
  });
});

/** Processes that this one has started. */
const children = () =>
  readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
const lacking = existsSync('/proc/self/status') ? undefined : 'no /proc says it';

describeUnless(lacking, 'the memory of a worker', () => {
  /** MiB that a worker of its own had of the machine at most, from its start on. */
  async function peakOf(document: unknown): Promise<number> {
    const pool = new ImportPool(limits);
    const others = new Set(children());
    try {
      await read(document, pool);
      const [worker = ''] = children().filter((process) => !others.has(process));
      const kibibytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${worker}/status`, 'utf8'))?.[1];
      return Number(kibibytes) / 1024;
    } finally {
      pool.close();
    }
  }

  it.each(hostileTexts.filter(([name]) => /bomb|lists in lists|without end/.test(name)))(
    'stays below 300 MiB: %s',
    async (_name, document) => {
      expect(await peakOf(document)).toBeLessThan(300);
    },
  );

  it.each(archives)('stays below 300 MiB: %s', async (_name, pack) => {
    expect(await peakOf(await asUpload(pack))).toBeLessThan(300);
  });
});
