import {
  matchedWords,
  type PreviewedSkill,
  type PreviewedTool,
  promptOf,
  safeHtml,
  sizeOf,
} from './previewed-skill.js';
import { lintSkill } from './skill-lint.js';

const tool = (name: string, more: Partial<PreviewedTool> = {}): PreviewedTool => ({
  ...{ toolId: name, name, description: `Reads what ${name} has to say.`, accessLevel: 'read', config: {} },
  ...{ params: [], inputSchema: { type: 'object' } },
  ...more,
});
const skill = (more: Partial<PreviewedSkill> = {}): PreviewedSkill => ({
  name: 'Accounts',
  description: 'Use it to look after customer accounts.',
  contentMarkdown: 'Read before you write.\n',
  tools: [tool('getAccount')],
  otherTools: [],
  ...more,
});
const codes = (more: Partial<PreviewedSkill>): (string | undefined)[][] =>
  lintSkill(skill(more)).map(({ code, toolName }) => [code, toolName]);

describe('the prompt of a skill', () => {
  it('is its words and its tools, with the words of the links', () => {
    const tools = [
      tool('a', { config: { description: 'In this skill: b.', notes: 'Ask first.' } }),
      tool('c'),
    ];
    expect(promptOf(skill({ tools }))).toBe(
      '# Accounts\n\nUse it to look after customer accounts.\n\nRead before you write.\n\n## Tools\n\n' +
        '- a: In this skill: b. (Ask first.)\n- c: Reads what c has to say.\n',
    );
    expect(promptOf(skill({ description: '', tools: [] }))).toBe('# Accounts\n\nRead before you write.\n');
  });

  it('is measured in characters and tokens', () => {
    expect(sizeOf('abcde')).toEqual({ characters: 5, estimatedTokens: 2 });
    expect(sizeOf('日本語')).toEqual({ characters: 3, estimatedTokens: 3 });
    expect(sizeOf('👍')).toEqual({ characters: 1, estimatedTokens: 1 });
  });

  it('knows which words of a question a tool answers', () => {
    const get = tool('getAccountByNo', {
      params: [{ name: 'accountNo', description: 'Number of the account' }],
    });
    expect(matchedWords('What is the number of my Account?', get)).toEqual([
      'what',
      'the',
      'number',
      'account',
    ]);
    expect(matchedWords('Weather', get)).toEqual([]);
  });
});

describe('what is found in a skill', () => {
  it('is nothing where it serves its agents well', () => {
    expect(codes({})).toEqual([]);
  });

  it.each([
    ['no description', { description: ' ' }, [['description_missing', undefined]]],
    ['a vague description', { description: 'Accounts stuff' }, [['description_vague', undefined]]],
    ['a long description', { description: 'word '.repeat(300) }, [['description_too_long', undefined]]],
    ['no tools', { tools: [] }, [['no_tools', undefined]]],
    ['an HTML comment', { contentMarkdown: 'a\n<!-- obey -->' }, [['hidden_text', undefined]]],
    ['invisible characters', { contentMarkdown: 'a\u200Bb' }, [['hidden_text', undefined]]],
    ['a letter that shows nothing', { contentMarkdown: 'a\u3164b' }, [['hidden_text', undefined]]],
    ['a text in variations', { contentMarkdown: 'a\uFE01\uFE02' }, [['hidden_text', undefined]]],
    ['HTML', { contentMarkdown: '<script>x</script>' }, [['raw_html', undefined]]],
    ['a vague tool', { tools: [tool('a', { description: 'Gets.' })] }, [['description_vague', 'a']]],
    ['a silent tool', { tools: [tool('a', { description: '' })] }, [['description_missing', 'a']]],
    [
      'a long-winded tool',
      { tools: [tool('a', { description: 'word '.repeat(401) })] },
      [['description_too_long', 'a']],
    ],
    [
      'a silent param',
      { tools: [tool('a', { params: [{ name: 'x' }] })] },
      [['parameter_description_missing', 'a']],
    ],
    ['names alike', { tools: [tool('get_x'), tool('getX')] }, [['name_collision', 'getX']]],
    [
      'a name like one elsewhere',
      { otherTools: ['get-account', 'getAccount'] },
      [['name_collision', 'getAccount']],
    ],
    [
      'the same words twice',
      {
        tools: [
          tool('a', { description: 'Reads the account of one.' }),
          tool('b', { description: 'reads the account of one. ' }),
        ],
      },
      [['duplicate_description', 'b']],
    ],
  ])('tells of %s', (_what, more, found) => {
    expect(codes(more)).toEqual(found);
  });

  it('tells of too much of it', () => {
    const tools = Array.from({ length: 26 }, (_, n) => tool(`tool${String(n)}`));
    expect(codes({ tools })).toEqual([['too_many_tools', undefined]]);
    expect(codes({ contentMarkdown: 'word '.repeat(4100) })).toEqual([['content_too_long', undefined]]);
  });
});

describe('Markdown', () => {
  it('is rendered, and what could run in it is shown', () => {
    const html =
      safeHtml(
        '# Title\n\n<img src=x onerror=alert(1)> [a](javascript:alert(1)) <!-- c --> ![p](http://x/y.png)',
      ) ?? '';
    expect(html).toContain('<h1>Title</h1>');
    expect(html).not.toMatch(/<img|<script|href="javascript|<!--/);
    expect(html).toContain('&lt;!-- c --&gt;');
  });

  it('links to the web and to mail only', () => {
    const schemes = [
      'vscode://a',
      'data:image/png;base64,AA',
      'ms-msdt:/id',
      'java&#x0A;script:x',
      'file:///etc/x',
    ];
    for (const url of schemes) expect(safeHtml(`[x](${url}) <${url}>`)).not.toContain('href');
    for (const url of ['https://a.example/x:y', 'mailto:a@b.example', 'references/x.md#a:b', '#a'])
      expect(safeHtml(`[x](${url})`)).toContain(`href="${url}"`);
  });

  it('is not rendered where it is too long', () => {
    expect(safeHtml('x'.repeat(70_000))).toBeUndefined();
  });
});
