import { WarningLog } from './findings.js';
import { warnOfLinks } from './skill-links.js';

/** What is warned of in a page, as code, line and target. */
async function warned(text: string, path = 'SKILL.md', files: readonly string[] = []): Promise<string[]> {
  const warnings = new WarningLog();
  await warnOfLinks([{ path, text }], new Set([path, ...files]), warnings);
  return warnings
    .all()
    .map(
      ({ code, detail }) =>
        `${code} ${/line (\d+): the link to (\S+)/.exec(detail)?.slice(1).join(' ') ?? ''}`,
    );
}

describe('links of a skill', () => {
  const files = ['references/a.md', 'references/b (1).md', 'assets/logo.png', 'scripts/run.py'];

  it.each([
    '[a](references/a.md) and [a](./references/a.md#part "Title"), ![i](assets/logo.png?raw=1)',
    '[folder](references/) [folder](scripts) [top](.)',
    '[b](references/b%20(1).md) [b](<references/b (1).md>)',
    '[w](https://a.example/x) [m](mailto:a@b.example) [h](#part) [p](//a.example/x) [s](skill://a/b)',
    '[a]: references/a.md\n[^1]: A note\n<img src="assets/logo.png">',
    'Write `[x](missing.md)` as code.\n```md\n[x](missing.md)\n```\n~~~\n[x](missing.md)\n```\n~~~',
    'A list (of one) [ ] todo, and [text] alone.',
  ])('are followed: %j', async (text) => {
    expect(await warned(text, 'SKILL.md', files)).toEqual([]);
  });

  it.each([
    ['# T\n\n[a](references/c.md)', 'link_broken 3 references/c.md'],
    ['[a](../other/SKILL.md)', 'link_outside 1 ../other/SKILL.md'],
    ['[a](/etc/hosts)', 'link_outside 1 /etc/hosts'],
    ['[a](file:///etc/hosts)', 'link_outside 1 file:///etc/hosts'],
    ['[a](C:\\notes.md)', 'link_outside 1 C:\\notes.md'],
    ['[a](~/notes.md)', 'link_outside 1 ~/notes.md'],
    ['[a](references/%2e%2e/../../x.md)', 'link_outside 1 references/%2e%2e/../../x.md'],
    ['\n![i](logo.png)', 'link_broken 2 logo.png'],
    ['[a]: missing.md', 'link_broken 1 missing.md'],
    ['<a href="missing.md">x</a>', 'link_broken 1 missing.md'],
    ['```\ncode\n```\n[a](missing.md)', 'link_broken 4 missing.md'],
  ])('are warned of with their line: %j', async (text, expected) => {
    expect(await warned(text, 'SKILL.md', files)).toEqual([expected]);
  });

  it('begin at the folder of their page', async () => {
    expect(
      await warned('[l](../assets/logo.png) [b](b.md) [o](../../x.md)', 'references/a.md', files),
    ).toEqual(['link_broken 1 b.md', 'link_outside 1 ../../x.md']);
  });

  it('are told where a file differs by case alone', async () => {
    const warnings = new WarningLog();
    await warnOfLinks([{ path: 'SKILL.md', text: '[a](References/A.md)' }], new Set(files), warnings);
    expect(warnings.all()).toEqual([
      {
        code: 'link_broken',
        pointer: '/SKILL.md/1/References~1A.md',
        detail:
          'SKILL.md, line 1: the link to References/A.md leads to nothing: References/A.md is not in the folder. There is references/a.md, which is spelled in other letters.',
      },
    ]);
  });

  it('are found in pages of any kind of text, none of which holds anybody up', async () => {
    for (const text of [
      '[a]('.repeat(50_000),
      '`'.repeat(100_000),
      '<a '.repeat(50_000),
      '](('.repeat(50_000),
    ])
      expect((await warned(text)).length).toBeLessThan(2);
  });
});
