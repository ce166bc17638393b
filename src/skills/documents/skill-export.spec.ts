import { readArchive } from '../../documents/archive.stream.js';
import { nameOf, readSkillMd } from '../../documents/skill-md.js';
import { skillFolderLimits } from '../../documents/limits.js';
import { type ExportedSkill, writeSkill } from './skill-export.lookup.js';

const base64 = Buffer.from('x').toString('base64');

function folderOf(name: string, ...paths: string[]): ExportedSkill {
  return {
    document: { name, formatVersion: '1.0', contentMarkdown: 'Do.' },
    tools: [],
    folder: { head: '---\nname: kept\n---\n', files: paths.map((path) => ({ path, base64 })) },
  };
}

describe.each(['zip', 'tar'] as const)('an export as %s', (format) => {
  it('leaves out what an import would refuse, and keeps the rest', async () => {
    const stored = ['.git/config', '.husky/pre-commit', 'A.md', 'a.md', 'con.txt', 'q/HEAD', 'skill.md'];
    const repository = ['r/HEAD', 'r/config', 'r/objects/x', 'r/refs/x'];
    const { body } = await writeSkill(folderOf('kept', ...stored, ...repository), format);
    const files = await readArchive(body, skillFolderLimits);
    expect(files.map(({ path }) => path)).toEqual([
      'kept/SKILL.md',
      'kept/.husky/pre-commit',
      'kept/A.md',
      'kept/q/HEAD',
    ]);
  });

  it('has a folder that every disk takes', async () => {
    const { body } = await writeSkill(folderOf('CON'), format);
    const files = await readArchive(body, skillFolderLimits);
    expect(files.map(({ path }) => path)).toEqual(['con-skill/SKILL.md']);
  });

  it('has a folder and a frontmatter of one name', async () => {
    for (const [name, head] of [
      ['My_Skill', '---\nname: My_Skill\n---\n'],
      ['Konto prüfen', '---\nname: konto\nmetadata:\n  portal-catalog-name: Konto prüfen\n---\n'],
      ['plain', '---\nname: other\n---\n'],
    ] as const) {
      const exported = folderOf(name);
      const folder = { head, files: [] };
      const { body } = await writeSkill({ ...exported, folder }, format);
      const [file] = await readArchive(body, skillFolderLimits);
      const [, said] = /^name: (.*)$/m.exec(Buffer.from(file?.bytes ?? []).toString()) ?? [];
      expect(file?.path).toBe(`${said ?? ''}/SKILL.md`);
      const { fields } = readSkillMd(Buffer.from(file?.bytes ?? []).toString());
      expect(nameOf(fields)).toBe(name);
    }
  });
});
