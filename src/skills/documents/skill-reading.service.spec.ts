import { readSkill } from './skill-reading.service.js';

const of = { visibility: { hostId: '0198c0de-0000-7000-8000-000000000001' } };
const options = { createTaxonomy: false, dryRun: false };

async function readFolder(files: Readonly<Record<string, string>>) {
  const body = { files: Object.entries(files).map(([path, content]) => ({ path, content })) };
  const sent = { body: Buffer.from(JSON.stringify(body)), mediaType: 'application/json' };
  return (await readSkill(sent, options, of)).skill;
}

/** Codes and pointers of what is warned of. */
async function warned(files: Readonly<Record<string, string>>): Promise<string[]> {
  const { warnings = [] } = await readFolder(files);
  return warnings.map(({ code, pointer }) => `${code} ${pointer}`);
}

async function read(text: string) {
  const { skill } = await readSkill({ body: Buffer.from(text), mediaType: 'text/markdown' }, options, of);
  return skill;
}

describe('what the author of a SKILL.md should know', () => {
  it('is nothing where all is well', async () => {
    const { warnings } = await read('---\nname: a\ndescription: Looks after accounts.\n---\nBody');
    expect(warnings).toEqual([]);
  });

  it('is that nobody chooses a skill without a description', async () => {
    const skill = await read('---\nname: 2024\ndescription:\n---\nBody');
    expect(skill).toMatchObject({
      name: '2024',
      description: '',
      warnings: [{ code: 'description_missing', pointer: '/SKILL.md/description' }],
    });
  });

  it('is which values only some programs read', async () => {
    const skill = await read('---\nname: a\ndescription: Use when: late\nargument-hint: [a] [b]\n---\nBody');
    expect(skill).toMatchObject({
      description: 'Use when: late',
      warnings: [
        { code: 'frontmatter_mended', pointer: '/SKILL.md/description' },
        { code: 'frontmatter_mended', pointer: '/SKILL.md/argument-hint' },
      ],
    });
  });

  it('is what in name and description is not as the standard has it', async () => {
    const text = (name: string, description = 'D.') =>
      `---\nname: ${name}\ndescription: ${description}\n---\nB`;
    expect(await warned({ 'bills/SKILL.md': text('bills') })).toEqual([]);
    expect(await warned({ 'SKILL.md': text('a'.repeat(64)) })).toEqual([]);
    for (const name of ['Bills', 'my_bills', 'a--b', '-a', 'a'.repeat(65), 'Über', 'my bills'])
      expect([name, await warned({ 'SKILL.md': text(name) })]).toEqual([
        name,
        ['name_nonstandard /SKILL.md/name'],
      ]);
    expect(await warned({ 'accounts/SKILL.md': text('bills') })).toEqual([
      'folder_name_differs /SKILL.md/name',
    ]);
    expect(await warned({ 'SKILL.md': text('a', 'd'.repeat(1_024)) })).toEqual([]);
    expect(await warned({ 'SKILL.md': text('a', 'd'.repeat(1_025)) })).toEqual([
      'description_too_long /SKILL.md/description',
    ]);
  });

  it('is which links lead to nothing, or out of the folder, in every page of it', async () => {
    const head = '---\nname: a\ndescription: D.\n---\n';
    const { warnings } = await readFolder({
      'a/SKILL.md': `${head}[b](references/b.md) [c](c.md)`,
      'a/references/b.md': '[up](../SKILL.md)\n[out](../../README.md)',
      'a/notes.txt': '[not](a-page.md)',
    });
    expect(warnings?.map(({ code, detail }) => [code, detail.replace(/ leads.*/, '')])).toEqual([
      ['link_broken', 'SKILL.md, line 5: the link to c.md'],
      ['link_outside', 'references/b.md, line 2: the link to ../../README.md'],
    ]);
  });

  it('is that a SKILL.md below it is no skill by itself', async () => {
    const text = '---\nname: a\ndescription: D.\n---\nB';
    expect(await warned({ 'SKILL.md': text, 'examples/one/SKILL.md': text })).toEqual([
      'nested_skill /examples~1one~1SKILL.md',
    ]);
  });

  it('is what was taken in since its author says that it is an example', async () => {
    const head = '---\nname: a\ndescription: D.\n---\n';
    const key = `password: "${Buffer.from('kX9 vQ2 mZ7 pL4').toString('base64')}"`;
    const marked = `<!-- accepted-finding: credential, of the manual -->\n${key}`;
    await expect(read(head + key)).rejects.toMatchObject({ code: 'skill_contains_secret' });
    const { contentMarkdown, warnings } = await read(head + marked);
    expect(contentMarkdown).toBe(marked);
    expect(warnings).toEqual([
      {
        code: 'finding_accepted',
        pointer: '/SKILL.md',
        detail:
          'SKILL.md: line 6 holds what looks like a secret (credential), and its author says that it is an example.',
      },
    ]);
    const inFile = { 'SKILL.md': `${head}B`, 'run.sh': `${key} # accepted-finding: credential` };
    expect(await warned(inFile)).toEqual(['finding_accepted /run.sh']);
  });
});

describe('several skills that are sent together', () => {
  it('are refused, each by its name', async () => {
    const text = '---\nname: a\ndescription: D.\n---\nB';
    await expect(readFolder({ 'a/SKILL.md': text, 'b/SKILL.md': text })).rejects.toMatchObject({
      code: 'malformed_skill',
      faults: [{ pointer: '/a~1SKILL.md' }, { pointer: '/b~1SKILL.md' }],
    });
  });
});
