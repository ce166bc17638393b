import markdownIt from 'markdown-it';

/** A skill as an agent gets it, or would get it. */
export interface PreviewedSkill {
  readonly name: string;
  readonly description: string;
  readonly contentMarkdown: string;
  readonly tools: readonly PreviewedTool[];
  /** Names of the tools that the agent has from its other skills. */
  readonly otherTools: readonly string[];
}

export interface PreviewedTool {
  readonly toolId: string;
  readonly name: string;
  readonly description: string;
  readonly accessLevel: string;
  /** Of the link: `description` replaces the tool's. */
  readonly config: { readonly description?: string; readonly notes?: string };
  readonly params: readonly { readonly name: string; readonly description?: string }[];
  readonly inputSchema: object;
}

/** The description that an agent reads: that of the link, where it has one, else that of the tool. */
export function descriptionOf({ description, config }: PreviewedTool): string {
  return config.description ?? description;
}

/** Makes the text that a skill puts into a prompt, without the schemas of its tools. */
export function promptOf({ name, description, contentMarkdown, tools }: PreviewedSkill): string {
  const lines = tools.map((tool) => {
    const { notes } = tool.config;
    return `- ${tool.name}: ${descriptionOf(tool)}${notes === undefined ? '' : ` (${notes})`}`;
  });
  const parts = [
    `# ${name}`,
    description,
    contentMarkdown.trim(),
    ...(lines.length > 0 ? [`## Tools\n\n${lines.join('\n')}`] : []),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

interface Size {
  readonly characters: number;
  readonly estimatedTokens: number;
}

/** Measures a text. Tokens are an estimate: four characters of ASCII a token, of other scripts one. */
export function sizeOf(text: string): Size {
  let ascii = 0;
  let other = 0;
  for (const character of text) {
    if (character < '\u0080') ascii += 1;
    else other += 1;
  }
  return { characters: ascii + other, estimatedTokens: Math.ceil(ascii / 4) + other };
}

/** The tools as they are described to a model. */
export function toolDefinitions({ tools }: PreviewedSkill): string {
  return JSON.stringify(
    tools.map((tool) => ({
      name: tool.name,
      description: descriptionOf(tool),
      inputSchema: tool.inputSchema,
    })),
  );
}

/** Finds the words of a prompt in a tool's name, description and params. */
export function matchedWords(prompt: string, tool: PreviewedTool): string[] {
  const texts = [
    tool.name,
    descriptionOf(tool),
    ...tool.params.map(({ name, description = '' }) => `${name} ${description}`),
  ];
  const known = new Set(wordsOf(texts.join(' ')));
  return [...new Set(wordsOf(prompt))].filter((word) => word.length > 2 && known.has(word));
}

function wordsOf(text: string): string[] {
  const split = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return split.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * Shows HTML in Markdown as text, so that none runs and reviewers see what an agent reads, comments included. Links
 * with other schemes than http, https and mailto stay text; images are not fetched.
 */
const renderer = markdownIt({ html: false, linkify: false, maxNesting: 20 }).disable('image');
renderer.validateLink = (url) => !/^[^/?#]*:/.test(url) || /^(?:https?|mailto):/i.test(url.trim());

/** Longer texts are not rendered: that would hold the event loop. */
const MAX_LENGTH = 64 * 1024;

/** Renders Markdown as safe HTML; undefined where it is too long. */
export function safeHtml(markdown: string): string | undefined {
  return markdown.length > MAX_LENGTH ? undefined : renderer.render(markdown);
}
