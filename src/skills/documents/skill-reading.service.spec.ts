import { readSkill } from './skill-reading.service.js';

const of = { visibility: { hostId: '0198c0de-0000-7000-8000-000000000001' } };
const options = { createTaxonomy: false, dryRun: false };

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
});
