import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
}

/** What installs packages: each lock file, and the settings beside it. */
const locks = ['.', 'test/conformance', 'test/fidelity/prism'].map((folder) =>
  join(folder, 'package-lock.json'),
);
describe.each(locks)('%s', (path) => {
  const { packages } = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, Locked> };

  it('names the content of every package, also of those for other machines', () => {
    const installed = Object.entries(packages).filter(([place]) => place.includes('node_modules/'));
    expect(installed.length).toBeGreaterThan(50);
    const open = installed.filter(
      ([, { link, integrity = '' }]) => link !== true && !/^sha512-/.test(integrity),
    );
    expect(open.map(([place]) => place)).toEqual([]);
  });

  it('is installed without running what packages bring along', () => {
    const settings = join(dirname(path), '.npmrc');
    expect(existsSync(settings) && readFileSync(settings, 'utf8').split('\n')).toContain(
      'ignore-scripts=true',
    );
  });
});

/** The content of an image, whatever its tag is given to later. */
const byDigest = /@sha256:[0-9a-f]{64}$/;

it.each([
  ['Dockerfile', /^FROM (\S+)/gm],
  ['docker-compose.yml', /^\s+image: (\S+)/gm],
])('%s names the content of the images that it begins with', (path, images) => {
  const named = [...readFileSync(path, 'utf8').matchAll(images)].map(([, image = '']) => image);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((image) => !byDigest.test(image))).toEqual([]);
});
