import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateClients } from '../../packages/tool-clients/generate-clients.js';
import type { Language, ToolInterface } from '../../packages/tool-clients/tool-interface.js';
import {
  compile,
  compileRuby,
  compileTypescript,
  lacking,
  writePackage,
} from '../clients/implementations.js';
import { aTool, hostileTools } from '../hostile-tools.js';
import { largeTools } from '../large-tools.js';
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
  function written(
    language: Language,
    ending: string,
    tools: readonly ToolInterface[] = hostileTools,
    folder = language as string,
  ): readonly string[] {
    const { files } = generateClients(tools, language);
    writePackage(join(home, folder), files);
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

  it('compiles in TypeScript with tools that are as large as can be', async () => {
    expect(written('typescript', '/v1_0_0.ts', largeTools, 'large-typescript')).toHaveLength(
      largeTools.length,
    );
    await compileTypescript(join(home, 'large-typescript'));
  });

  itUnless(lacking.ruby, 'is loaded in Ruby with tools that are as large as can be', async () => {
    const files = written('ruby', '/v1_0_0.rb', largeTools, 'large-ruby');
    expect(files).toHaveLength(largeTools.length);
    const load = 'ARGV.each { |file| load file }';
    expect(await compile('ruby', ['-w', '-Ilib', '-e', load, ...files], join(home, 'large-ruby'))).toBe('');
  });

  itUnless(lacking.python, 'is loaded in Python with tools that are as large as can be', async () => {
    const files = written('python', '/v1_0_0.py', largeTools, 'large-python');
    expect(files).toHaveLength(largeTools.length);
    const modules = files.map((path) => path.slice('src/'.length, -'.py'.length).replaceAll('/', '.'));
    const load = 'import importlib, sys; [importlib.import_module(name) for name in sys.argv[1:]]';
    const from = { PYTHONPATH: join(home, 'large-python/src') };
    await compile('python3', ['-c', load, ...modules], home, from);
  });

  itUnless(
    lacking.python,
    'refuses in Python what is nested too deep for the stack of its caller',
    async () => {
      written('python', '.py', [aTool('deep', { type: 'object', anyOf: [{ $ref: '#' }] })], 'deep-python');
      const program = `
import tool_registry.deep.v1_0_0 as deep
from tool_registry.errors import InvalidArguments

class Deep(deep.DeepBase):
    def _execute(self, **parameters):
        return deep.DeepOutput(result=None)

def called(levels):
    return called(levels - 1) if levels else Deep().execute({})

try:
    called(900)
except InvalidArguments as refused:
    print([fault.reason for fault in refused.faults])
`;
      const from = { PYTHONPATH: join(home, 'deep-python/src') };
      expect(await compile('python3', ['-c', program], home, from)).toBe("['limit']\n");
    },
  );
});
