import { readdirSync, readFileSync } from 'node:fs';

export const guidesFolder = 'docs/guides';

/** A fenced block of a guide. */
export interface GuideBlock {
  /** Page and line, as editors make links of it. */
  readonly place: string;
  readonly language: string;
  readonly text: string;
  /** Of a file: where it lies in the registry’s folder, by its first line. */
  readonly path: string | undefined;
}

export interface GuidePage {
  readonly name: string;
  readonly lines: number;
  readonly blocks: readonly GuideBlock[];
}

export const guidePages: readonly GuidePage[] = readdirSync(guidesFolder)
  .sort()
  .map((name) => {
    const text = readFileSync(`${guidesFolder}/${name}`, 'utf8');
    const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
    const blocks = [...text.matchAll(/^```([^\n]*)\n([^]*?)^```$/gm)].map(
      ({ 1: language = '', 2: content = '', index }) => ({
        place: `${guidesFolder}/${name}:${String(lineAt(index))}`,
        language,
        text: content,
        path: /^(?:#|\/\/) ([\w/-]+\.\w+)\n/.exec(content)?.[1],
      }),
    );
    return { name, lines: lineAt(text.length) - 1, blocks };
  });
