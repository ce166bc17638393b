import { UnreadableDocument } from './findings.js';
import { checkFiles } from './archive-file.js';

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
  ])('a name that a disk can’t hold, or that hides what it is, is refused: %j', (path) => {
    expect(codeOf('SKILL.md', path)).toBe('unsafe_path');
  });

  it.each([
    ['x', 'x/y'],
    ['x/y/z', 'X'],
    ['a.md', 'A.md'],
    ['\u00e9.md', 'e\u0301.md'],
    ['\u00e9', 'E\u0301/a.md'],
  ])('%j beside %j is refused', (one, other) => {
    expect(codeOf(one, other)).toBe('malformed_archive');
  });
});
