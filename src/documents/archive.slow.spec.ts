import { gzipSync } from 'node:zlib';
import { packTar, type TarEntry } from 'modern-tar';
import type { ArchiveFile } from './archive-file.js';
import { readArchive, writeTar, writeZip } from './archive.stream.js';

const limits = { files: 10, bytes: 64 * 1024 };
const text = (path: string, content = 'x'): ArchiveFile => ({ path, bytes: Buffer.from(content) });
const files = [text('a/SKILL.md', '# Hello'), text('a/scripts/run.py', 'print(1)'), text('a/empty.txt', '')];
const refusal = (code: string) => expect.objectContaining({ code }) as Error;

async function tarOf(...entries: TarEntry[]): Promise<Uint8Array> {
  return packTar(entries);
}

/** A zip of one file under a name of the same length that no writer would put there. */
async function zipNamed(name: string): Promise<Buffer> {
  const honest = 'x'.repeat(name.length);
  const zip = Buffer.from(await writeZip([text(honest, 'evil')]));
  return Buffer.from(zip.toString('latin1').replaceAll(honest, name), 'latin1');
}

describe('archives', () => {
  it.each([
    ['zip', writeZip],
    ['tar.gz', writeTar],
  ])('a %s is written and read, the same files to the same bytes', async (_kind, write) => {
    const bytes = await write(files);
    expect(Buffer.from(await write(files)).equals(bytes)).toBe(true);
    const read = await readArchive(bytes, limits);
    expect(read.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])).toEqual(
      files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]),
    );
  });

  it('folders are passed over, and a leading ./', async () => {
    const tar = await tarOf(
      { header: { name: './a/', type: 'directory', size: 0 } },
      { header: { name: './a/b.txt', size: 2 }, body: 'hi' },
    );
    expect((await readArchive(tar, limits)).map(({ path }) => path)).toEqual(['a/b.txt']);
  });

  it.each(['../../etc/passwd', '/etc/passwd', 'a/../../b', 'a\\..\\b', 'C:/x', 'a//b', 'a/\u0007b'])(
    'a path that leads elsewhere is refused: %j',
    async (name) => {
      const tar = await tarOf({ header: { name, size: 1 }, body: 'x' });
      await expect(readArchive(tar, limits)).rejects.toThrow(refusal('unsafe_path'));
      const zip = readArchive(await zipNamed(name), limits);
      await expect(zip).rejects.toThrow(refusal('unsafe_path'));
    },
  );

  it('links and devices are refused', async () => {
    for (const type of ['symlink', 'link', 'fifo', 'character-device'] as const) {
      const tar = await tarOf({ header: { name: 'a', size: 0, type, linkname: '/etc/passwd' } });
      await expect(readArchive(tar, limits)).rejects.toThrow(refusal('malformed_archive'));
    }
  });

  it('what unpacks to more than may be is refused, also where the archive lies about it', async () => {
    const bomb = [text('bomb', '0'.repeat(10 * 1024 * 1024))];
    const zip = Buffer.from(await writeZip(bomb));
    expect(zip.length).toBeLessThan(limits.bytes);
    const gzipped = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    for (const bytes of [zip, await writeTar(bomb), gzipped]) {
      await expect(readArchive(bytes, limits)).rejects.toThrow(refusal('document_too_expensive'));
    }
    const size = Buffer.alloc(4);
    size.writeUInt32LE(10 * 1024 * 1024);
    const small = Buffer.from([1, 0, 0, 0]);
    for (let at = zip.indexOf(size); at >= 0; at = zip.indexOf(size)) small.copy(zip, at);
    await expect(readArchive(zip, limits)).rejects.toThrow(refusal('malformed_archive'));
    const many = Array.from({ length: 11 }, (_, n) => text(String(n)));
    await expect(readArchive(await writeZip(many), limits)).rejects.toThrow(
      refusal('document_too_expensive'),
    );
  });

  it('a file with another checksum than is said is refused', async () => {
    const zip = Buffer.from(await writeZip([text('a.md', 'As it was packed.')]));
    const directory = zip.indexOf('PK\u0001\u0002');
    zip.writeUInt32LE(zip.readUInt32LE(directory + 16) ^ 1, directory + 16);
    await expect(readArchive(zip, limits)).rejects.toThrow(refusal('malformed_archive'));
  });

  it('what is broken, doubled or no archive is refused', async () => {
    const zip = Buffer.from(await writeZip(files));
    const doubled = await writeZip([text('a'), text('A')]);
    const tar = Buffer.from(await tarOf({ header: { name: 'a', size: 2000 }, body: 'x'.repeat(2000) }));
    const broken = [
      zip.subarray(0, 40),
      doubled,
      Buffer.from('hello'),
      gzipSync('hello'),
      tar.subarray(0, 900),
    ];
    for (const bytes of [...broken, Buffer.from([0x1f, 0x8b, 1]), Buffer.alloc(0)]) {
      await expect(readArchive(bytes, limits)).rejects.toThrow(refusal('malformed_archive'));
    }
  });
});
