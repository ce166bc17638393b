import fc from 'fast-check';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { corpus, describeWithCorpus, readCorpus } from '../../test/import-laws.js';
import {
  allowedTools,
  descriptionOf,
  folderName,
  isPlainHead,
  looksLikeSkillMd,
  nameOf,
  readSkillDocument,
  readSkillMd,
  versionOf,
  writeSkillMd,
} from './skill-md.js';
import { readSkillFolder } from './skill-folder.js';
import { many } from '../../test/soak.js';

const refusal = (code: string) => expect.objectContaining({ code }) as Error;
const words = {
  name: 'accounts',
  description: 'Looks after accounts.',
  version: '1.0.0',
  tools: [],
  body: '# Do\n',
};
const head = `---
# Kept, as all else.
name: accounts
description: >
  Looks after
  accounts.
x-unknown: {a: [1, 2]}   # verbatim
license: MIT
---
`;

describe('reading a SKILL.md', () => {
  it('takes head and body apart without losing a byte', () => {
    for (const text of [
      `${head}# Do\n`,
      `${head.replaceAll('\n', '\r\n')}Body`,
      '---\nname: a\n---',
      '\uFEFF---\nname: a\n---\n\n---\nx',
    ]) {
      const { head, body } = readSkillMd(text);
      expect(head + body).toBe(text);
      expect(looksLikeSkillMd(text)).toBe(true);
    }
    expect(readSkillMd(`${head}# Do\n`)).toMatchObject({
      fields: { name: 'accounts', description: 'Looks after accounts.\n', 'x-unknown': { a: [1, 2] } },
      body: '# Do\n',
    });
  });

  it.each([
    ['no frontmatter', '# Title', 'malformed_skill'],
    ['no end', '---\nname: a\n', 'malformed_skill'],
    ['a list', '---\n- a\n---\n', 'malformed_skill'],
    ['broken YAML', '---\nname: [a\n---\n', 'malformed_yaml'],
    ['a tag', '---\nname: !!js/function x\n---\n', 'malformed_yaml'],
    ['depth', `---\nname: ${'['.repeat(50)}${']'.repeat(50)}\n---\n`, 'document_too_deep'],
    ['length', `---\nname: ${'x'.repeat(40_000)}\n---\n`, 'document_too_large'],
  ])('refuses %s', (_what, text, code) => {
    expect(() => readSkillMd(text)).toThrow(refusal(code));
  });

  const withField = (field: string) => `---\nname: a\n${field}\n---\nBody`;

  it.each([
    ['argument-hint', 'argument-hint: [action] — e.g. "list", "status"', '[action] — e.g. "list", "status"'],
    ['argument-hint', 'argument-hint: [file] [--dry-run]', '[file] [--dry-run]'],
    ['description', 'description: Use when: a bill is late', 'Use when: a bill is late'],
    ['description', 'description: Use when: a bill\n  is late', 'Use when: a bill is late'],
    ['description', 'description: "Bills" and more: issue #12', '"Bills" and more: issue #12'],
    ['allowed-tools', 'allowed-tools: Bash(npm: *), Read', 'Bash(npm: *), Read'],
    ['description', 'description: @team looks after it', '@team looks after it'],
  ])('reads what people write as a text: %s in %s', (key, field, value) => {
    const text = withField(field);
    const { head, body, fields, quoted } = readSkillMd(text);
    expect([fields[key], fields['name'], quoted, head + body]).toEqual([value, 'a', [key], text]);
  });

  it('leaves what is YAML as it is', () => {
    const { fields, quoted } = readSkillMd(
      withField(
        'model: opus\nallowed-tools: [Read, Grep]\nargument-hint: [action]\ndescription: >\n  Use when: late\n',
      ),
    );
    expect(quoted).toEqual([]);
    expect(fields).toMatchObject({ 'allowed-tools': ['Read', 'Grep'], description: 'Use when: late\n' });
    const mixed = readSkillMd(
      withField(
        'allowed-tools: [Read, Grep]\nmetadata:\n  version: 1.0.0\ndescription: |\n  a: b\n  c\nwhen_to_use: a: b',
      ),
    );
    expect(mixed.quoted).toEqual(['when_to_use']);
    expect(mixed.fields).toMatchObject({
      'allowed-tools': ['Read', 'Grep'],
      metadata: { version: '1.0.0' },
      description: 'a: b\nc\n',
      when_to_use: 'a: b',
    });
  });

  it('names the line of the file, the key, and the quotes to add', () => {
    expect(() => readSkillMd('---\ndescription: A.\nname: a: b\n---\n')).toThrow(
      /line 3, .*Put the value of "name" in quotes if it is a text: name: "a: b"/,
    );
    expect(() => readSkillMd('---\nname: a\nmetadata:\n  version: 1.0\n  author: Ann: Lee\n---\n')).toThrow(
      /line 5, .*Put the value of "author" in quotes if it is a text: author: "Ann: Lee"/,
    );
    expect(() => readSkillMd('---\nname: a\nhooks:\n  - run: a: b\n---\n')).toThrow(
      /line 4, .* in quotes if it is a text: run: "a: b"/,
    );
  });

  it('reads an alias bomb at no cost', () => {
    const levels = Array.from(
      { length: 12 },
      (_, n) => `l${String(n + 1)}: &l${String(n + 1)} [${`*l${String(n)},`.repeat(9)}]`,
    );
    expect(() => readSkillDocument(`l0: &l0 x\n${levels.join('\n')}\n`)).toThrow(
      refusal('document_too_large'),
    );
  });
});

describe('what a SKILL.md says', () => {
  it('names tools in every way that is in use', () => {
    const references = (said: string | string[]) =>
      allowedTools({ 'allowed-tools': said }).map(({ reference, names }) => [reference, ...names]);
    expect(references('Bash(git add:*) Read, getAccount  Read mcp__bank__getAccount')).toEqual([
      ['Bash(git add:*)', 'Bash'],
      ['Read', 'Read'],
      ['getAccount', 'getAccount'],
      ['mcp__bank__getAccount', 'mcp__bank__getAccount', 'getAccount'],
    ]);
    expect(references(['Read', 'Bash(ls)'])).toEqual([
      ['Read', 'Read'],
      ['Bash(ls)', 'Bash'],
    ]);
    expect(allowedTools({})).toEqual([]);
  });

  it('makes a name for the folder', () => {
    expect(folderName(`early${'\u0301'.repeat(200_000)}${'\u0323'.repeat(200_000)}`)).toBe('early');
    expect(folderName('Account Management!')).toBe('account-management');
    expect(folderName('Über-Größe')).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(folderName('中文')).toBe('skill');
    fc.assert(
      fc.property(fc.string(), (name) => /^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/.test(folderName(name))),
      many(100),
    );
  });
});

describe('writing a SKILL.md', () => {
  it('keeps the head as it was, byte for byte', () => {
    expect(writeSkillMd(words, head)).toBe(`${head}# Do\n`);
  });

  it('writes what has changed into its place, and keeps the rest', () => {
    const changed = writeSkillMd({ ...words, description: 'Other: "words"' }, head);
    expect(changed).toBe(
      `${head.replace('description: >\n  Looks after\n  accounts.\n', 'description: \'Other: "words"\'\n')}# Do\n`,
    );
    const renamed = readSkillMd(writeSkillMd({ ...words, name: 'My Accounts' }, head)).fields;
    expect([renamed['name'], nameOf(renamed), renamed['x-unknown']]).toEqual([
      'my-accounts',
      'My Accounts',
      { a: [1, 2] },
    ]);
    const flow = readSkillMd(
      writeSkillMd(
        { ...words, name: 'b' },
        '---\n{name: a, description: Looks after accounts., k: 1}\n---\n',
      ),
    );
    expect(flow.fields).toEqual({ name: 'b', description: 'Looks after accounts.', k: 1 });
  });

  it.each([
    ['  version: "1.0.0"\n', '  version: 2.0.0\n', '1.0.0'],
    ['  version: 1\n', '  version: 2.0.0\n', undefined],
    ['  k: v\n', '  k: v\n  version: 2.0.0\n', undefined],
  ])('says the version of now in %j', (before, after, said) => {
    const old = `---\nname: accounts\ndescription: Looks after accounts.\nmetadata:\n${before}---\n`;
    expect(versionOf(readSkillMd(old).fields)).toBe(said);
    expect(writeSkillMd(words, old)).toBe(`${old}# Do\n`);
    expect(writeSkillMd({ ...words, version: '2.0.0' }, old)).toBe(`${old.replace(before, after)}# Do\n`);
  });

  it('names the tools of now, as a text or a list as before', () => {
    const [text, list] = ['Bash(git add:*), getAccount', '\n  - Read\n  - getAccount'].map(
      (said) =>
        `---\nname: accounts\ndescription: Looks after accounts.\nallowed-tools: ${said}\nk: 1\n---\n`,
    ) as [string, string];
    expect(writeSkillMd({ ...words, tools: ['Bash(git add:*)', 'getAccount'] }, text)).toBe(`${text}# Do\n`);
    const fewer = writeSkillMd({ ...words, tools: ['Bash(git add:*)'] }, text);
    expect(fewer).toBe(`${text.replace(', getAccount', '')}# Do\n`);
    expect(readSkillMd(writeSkillMd(words, list)).fields).toMatchObject({ 'allowed-tools': [], k: 1 });
    expect(allowedTools(readSkillMd(writeSkillMd(words, text)).fields)).toEqual([]);
  });

  it('quotes a name that other readers take for a number', () => {
    const old = '---\nname: 2024\ndescription: Looks after accounts.\n---\n';
    expect(nameOf(readSkillMd(old).fields)).toBe('2024');
    expect(writeSkillMd({ ...words, name: '2024' }, old)).toBe(`${old.replace('2024', "'2024'")}# Do\n`);
    expect(writeSkillMd({ ...words, name: '2024' }, null)).toContain("name: '2024'\n");
  });

  it('writes the name that its folder has, and keeps that of the catalog beside it', () => {
    const said = { name: 'My_Bills', description: 'D.', version: '1.0.0', tools: [], body: 'Body' };
    const text = writeSkillMd(said, '---\nname: My_Bills\ndescription: D.\nlicense: MIT\n---\n');
    expect(text).toBe(
      '---\nname: my-bills\ndescription: D.\nlicense: MIT\nmetadata:\n  portal-catalog-name: My_Bills\n---\nBody',
    );
    expect(writeSkillMd(said, readSkillMd(text).head)).toBe(text);
  });

  it('knows a head that it would write itself', () => {
    const tools = ['getAccount', 'Bash(git:*)'];
    const own = writeSkillMd({ ...words, name: 'My Accounts', tools }, null);
    expect(isPlainHead(readSkillMd(own))).toBe(true);
    expect(isPlainHead(readSkillMd(own.replace('---\n', '---\n# Mine\n')))).toBe(false);
    expect(isPlainHead(readSkillMd(head))).toBe(false);
  });

  it('obeys: what is written is read as it was said', () => {
    const line = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .map((text) => text.replace(/[\p{Cc}\s]+/gu, ' ').trim())
      .filter((text) => text !== '');
    const known = fc.constantFrom(
      null,
      head,
      '---\nname: a\n---\n',
      '---\n"name": a\nmetadata: {k: v}\n---\n',
    );
    fc.assert(
      fc.property(line, line, fc.string(), known, (name, description, body, before) => {
        const read = readSkillMd(writeSkillMd({ ...words, name, description, body }, before));
        expect([nameOf(read.fields), descriptionOf(read.fields), read.body]).toEqual([
          name,
          description,
          body,
        ]);
        if (before === null) expect(versionOf(read.fields)).toBe('1.0.0');
      }),
      many(100),
    );
  });
});

describeWithCorpus('skills of the corpus', () => {
  it('are read, and written again byte for byte', () => {
    const folders = readdirSync(join(corpus, 'skills'));
    expect(folders.length).toBeGreaterThan(5);
    for (const folder of folders) {
      const text = Buffer.from(readCorpus(`skills/${folder}/SKILL.md`)).toString();
      const { head, fields, body } = readSkillMd(text);
      expect(nameOf(fields)).toBe(folder);
      const tools = allowedTools(fields).map(({ reference }) => reference);
      const version = versionOf(fields) ?? '1.0.0';
      const said = { name: folder, description: descriptionOf(fields), version, tools, body };
      expect(writeSkillMd(said, head)).toBe(text);
    }
  });
});

describe('the folder of a skill', () => {
  const file = (path: string, content = '---\nname: a\n---\nBody') => ({ path, bytes: Buffer.from(content) });

  it('has SKILL.md at its top, or in its only folder', () => {
    const inFolder = [
      file('a/scripts/x.sh', 'x'),
      file('a/SKILL.md'),
      file('__MACOSX/a/._x', ''),
      file('a/.DS_Store', ''),
    ];
    for (const files of [inFolder, [file('SKILL.md'), file('scripts/x.sh', 'x')]]) {
      const { skill, files: others } = readSkillFolder(files);
      expect([skill.body, others.map(({ path }) => path)]).toEqual(['Body', ['scripts/x.sh']]);
    }
  });

  it('may have its name in small letters', () => {
    for (const files of [
      [file('skill.md'), file('x.sh', 'x')],
      [file('a/Skill.md'), file('a/x.sh', 'x')],
    ]) {
      const { skill, files: others } = readSkillFolder(files);
      expect([skill.body, others.map(({ path }) => path)]).toEqual(['Body', ['x.sh']]);
    }
  });

  it.each([
    ['none', [file('README.md')]],
    ['two skills', [file('a/SKILL.md'), file('b/SKILL.md')]],
    ['too deep', [file('a/b/SKILL.md')]],
    ['no text', [{ path: 'SKILL.md', bytes: Buffer.from([0xff, 0xfe, 0x2d]) }]],
  ])('is refused with %s', (_what, files) => {
    expect(() => readSkillFolder(files)).toThrow(refusal('malformed_skill'));
  });

  it('is refused with each of several skills named, and with what lies beside it', () => {
    const several = [file('skills/a/SKILL.md'), file('skills/b/skill.md'), file('skills/b/deep/SKILL.md')];
    expect(() => readSkillFolder(several)).toThrow(
      expect.objectContaining({
        detail:
          "SKILL.md can't be read. What was sent has 2 skills: skills/a/SKILL.md, skills/b/skill.md. Send the folder of each by itself.",
        faults: [
          {
            pointer: '/skills~1a~1SKILL.md',
            detail: 'is a skill of its own: send the folder skills/a/ by itself',
          },
          {
            pointer: '/skills~1b~1skill.md',
            detail: 'is a skill of its own: send the folder skills/b/ by itself',
          },
        ],
      }) as Error,
    );
    expect(() => readSkillFolder([file('a/SKILL.md'), file('README.md')])).toThrow(
      'Beside the folder a/ lies README.md.',
    );
  });

  it('says its name, where it was sent with it', () => {
    expect(readSkillFolder([file('bills/SKILL.md')]).name).toBe('bills');
    expect(readSkillFolder([file('SKILL.md'), file('examples/SKILL.md')])).toMatchObject({
      files: [{ path: 'examples/SKILL.md' }],
    });
  });
});
