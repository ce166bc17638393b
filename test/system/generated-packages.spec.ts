import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateClients } from '../../packages/tool-clients/generate-clients.js';
import type { Language } from '../../packages/tool-clients/tool-interface.js';
import {
  compile,
  compileRuby,
  compileTypescript,
  lacking,
  writePackage,
} from '../clients/implementations.js';
import { hostileTools } from '../hostile-tools.js';
import { itUnless } from '../unless.js';

describe('a package with tools that are named and built against it', () => {
  let home = '';
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'generated-packages-'));
  });
  afterAll(() => {
    rmSync(home, { recursive: true });
  });

  /** Paths of the package's files of a kind. */
  function written(language: Language, ending: string): readonly string[] {
    const { files } = generateClients(hostileTools, language);
    writePackage(join(home, language), files);
    return [...files.keys()].filter((path) => path.endsWith(ending));
  }

  it('compiles in TypeScript, also where a schema contains itself', async () => {
    written('typescript', '.ts');
    await compileTypescript(join(home, 'typescript'));
  });

  itUnless(lacking.ruby, 'is read in Ruby', async () => {
    const files = written('ruby', '.rb');
    expect(await compileRuby(join(home, 'ruby'), files)).toBe('');
  });

  itUnless(lacking.python, 'is read in Python', async () => {
    const files = written('python', '.py');
    await compile('python3', ['-m', 'py_compile', ...files], join(home, 'python'));
  });
});
