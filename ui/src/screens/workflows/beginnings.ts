import type { WorkflowWords } from '../../parts/workflow/outline.ts';

/** What a workflow begins with that is made from nothing. */
export const blank: WorkflowWords = {
  namespace: '',
  name: '',
  version: '1.0.0',
  definition: `document:
  dsl: 1.0.3
do:
  - firstStep:
      call: mcp
      with:
        tool: nameOfATool
        arguments: {}
`,
};

/** The same with the next minor version, also where the definition itself says its version. */
export function nextOf(words: WorkflowWords): WorkflowWords {
  const version = words.version.replace(/^(\d+)\.(\d+)\..*$/, (_, major: string, minor: string) =>
    [major, Number(minor) + 1, 0].join('.'),
  );
  const definition = words.definition.replace(
    /^(document:[^\S\n]*\n(?:[^\S\n]+.*\n)*?[^\S\n]+version:[^\S\n]*)(["']?)([^"'\s]+)\2[^\S\n]*$/m,
    (line, before: string, quote: string, said: string) =>
      said === words.version ? `${before}${quote}${version}${quote}` : line,
  );
  return { ...words, version, definition };
}
