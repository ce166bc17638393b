import { UnreadableDocument } from './findings.js';
import { checkFiles, isSetting, safeFiles } from './archive-file.js';

const limits = { files: 10, bytes: 100 };

function codeOf(...paths: string[]): string | undefined {
  try {
    checkFiles(
      paths.map((path) => ({ path, bytes: new Uint8Array() })),
      limits,
    );
    return undefined;
  } catch (fault) {
    if (fault instanceof UnreadableDocument) return fault.code;
    throw fault;
  }
}

describe('files that one disk can hold', () => {
  it.each([
    [['SKILL.md', 'references/a.md', 'references/b.md', 'references.md']],
    [['con', 'x'].map((name) => `${name}fig/a.md`)],
    [
      [
        'nullable.txt',
        'com10.txt',
        'auxiliary',
        '.hidden',
        'a.b.c',
        'a b.md',
        'ä.md',
        '\u0645\u06cc\u200c\u062e.md',
      ],
    ],
  ])('pass: %j', (paths) => {
    expect(codeOf(...paths)).toBeUndefined();
  });

  it.each([
    'CON',
    'nul.txt',
    'a/aux',
    'Com1.md',
    'lpt9',
    'prn .txt',
    'a.',
    'a /b',
    'a./b',
    'a\u202Egpj.exe',
    'a\u200Bb',
    'a\u2028b',
    'a\u2029b',
    'a\u3164b',
    'a\u17b4b',
    'a\ufffab',
    'a\ufe01\ufe02',
    '\u1820\u180b\u180c',
    'a\ufff0',
    'a\u{e0fff}',
    'a\u{1bca0}',
    'a\u{e0041}b',
  ])('a name that a disk can’t hold, or that hides what it is, is refused: %j', (path) => {
    expect(codeOf('SKILL.md', path)).toBe('unsafe_path');
  });

  it.each([
    '\uff0e\uff0e/a',
    'a/\u2024\u2024/b',
    '\u2025',
    '\uff0e.\u034f/a',
    '\uff0e',
    'a\uff0f..\uff0fb',
    '\u034f/a',
  ])(
    'what leads out of the folder where letters of other widths are taken for plain ones is refused: %j',
    (path) => {
      expect(codeOf('SKILL.md', path)).toBe('unsafe_path');
    },
  );

  it.each([
    '.git/config',
    'a/.GIT/hooks/pre-commit',
    '.git',
    'git~1/config',
    'GIT~1/config',
    '.g\u200cit/config',
    '\u2024git/config',
    '.\uff47it/config',
    '.git\ufe0f/config',
  ])('what git would take for its own settings is refused: %j', (path) => {
    expect(codeOf('SKILL.md', path)).toBe('unsafe_path');
  });

  it.each([
    [['HEAD', 'objects/x', 'refs/x', 'config']],
    [['a/Head', 'a/Objects/x', 'a/REFS/x']],
    [['HEAD', 'commondir', 'b/objects/x', 'b/refs/x']],
  ])('a folder that git takes for a repository by itself is refused: %j', (paths) => {
    expect(codeOf('SKILL.md', ...paths)).toBe('unsafe_path');
  });

  it.each([[['.gitignore', '.github/a.yml', 'git/a', 'git~12', 'a.git/b', 'HEAD', 'objects/x', 'a/refs/x']]])(
    'what is only named like it passes: %j',
    (paths) => {
      expect(codeOf('SKILL.md', ...paths)).toBeUndefined();
    },
  );

  it.each([
    ['x', 'x/y'],
    ['x/y/z', 'X'],
    ['a.md', 'A.md'],
    ['\u00e9.md', 'e\u0301.md'],
    ['\u00e9', 'E\u0301/a.md'],
    ['\u017f.md', 's.md'],
    ['\ufb01.md', 'FI.md'],
    ['stra\u00dfe.md', 'STRASSE.md'],
    ['\u212a/a.md', 'k/A.md'],
    ['\u03c3\u03c2.md', '\u03a3\u03a3.md'],
    ['a\u200cb.md', 'ab.md'],
  ])('%j beside %j is refused', (one, other) => {
    expect(codeOf(one, other)).toBe('malformed_archive');
  });
});

describe('files that are written', () => {
  it('are those that would be taken in again: of two that one disk takes for one, the first', () => {
    const paths = ['a.md', 'A.md', '.git/config', 'x', 'x/y', 'con.txt', '.husky/pre-commit', 'b/c.md'];
    const files = paths.map((path) => ({ path, bytes: new Uint8Array() }));
    expect(safeFiles(files).map(({ path }) => path)).toEqual(['a.md', 'x', '.husky/pre-commit', 'b/c.md']);
  });

  it('have nothing of a folder that git takes for a repository', () => {
    const paths = ['r/HEAD', 'r/objects/x', 'r/refs/x', 'r/config', 'q/HEAD'];
    const files = paths.map((path) => ({ path, bytes: new Uint8Array() }));
    expect(safeFiles(files).map(({ path }) => path)).toEqual(['q/HEAD']);
  });
});

describe('settings of tools', () => {
  it.each([
    '.envrc',
    '.npmrc',
    '.husky/pre-commit',
    'a/.vscode/settings.json',
    '\u2024claude/x',
    '.g\u200citattributes',
  ])('%j is one', (path) => {
    expect(isSetting(path)).toBe(true);
  });
  it.each(['SKILL.md', 'scripts/run.sh', 'a.b/c.d'])('%j is none', (path) => {
    expect(isSetting(path)).toBe(false);
  });
});
