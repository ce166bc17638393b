import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gradeInput } from '../../../packages/schema-grade/schema-grade.js';
import type { JsonObject } from '../../../packages/schema-reading/keywords.js';
import { modernInput } from '../../../packages/schema-reading/modern-schema.js';
import { brokenLaws, corpus, describeWithCorpus, readCorpus } from '../../../test/import-laws.js';
import { readFlat } from '../../../test/flat-endpoints.js';

interface Expected {
  readonly tools: number;
  readonly withoutDescription: number;
  readonly withOutputSchema: number;
  readonly withAnnotations: number;
  readonly namesNotMatching64: readonly string[];
}

interface Listed {
  readonly name: string;
  readonly inputSchema: JsonObject;
}

/** Whatever the tools are wrapped in. */
function toolsIn(value: unknown): Listed[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('inputSchema' in value && 'name' in value) return [value as Listed];
  return Object.values(value).flatMap(toolsIn);
}

describeWithCorpus('tools/list answers of the corpus', () => {
  const expected = existsSync(corpus)
    ? (JSON.parse(readFileSync(join(corpus, 'mcp-tools-list/expected.json'), 'utf8')) as Record<
        string,
        Expected
      >)
    : {};

  it.each(Object.keys(expected))(
    '%s has the tools that it is known to have, and keeps the laws',
    async (file) => {
      const document = await readFlat(readCorpus(`mcp-tools-list/${file}`), { format: 'auto' });
      const truth = expected[file] as Expected;
      const { endpoints } = document;
      expect(document.format).toBe('mcp');
      expect(endpoints).toHaveLength(truth.tools);
      expect(endpoints.filter(({ description }) => description === '')).toHaveLength(
        truth.withoutDescription,
      );
      expect(endpoints.filter(({ outputSchema }) => outputSchema)).toHaveLength(truth.withOutputSchema);
      expect(endpoints.filter(({ extras }) => extras['annotations'])).toHaveLength(truth.withAnnotations);
      const renamed = endpoints
        .filter(({ name, sourceName }) => name !== sourceName)
        .map(({ sourceName }) => sourceName);
      expect(renamed.sort()).toEqual([...truth.namesNotMatching64].sort());
      expect(brokenLaws(document)).toEqual([]);
      expect(document.warnings).toEqual([]);
      // As the agent client reads what a gateway lists.
      const live = new Map(
        toolsIn(JSON.parse(Buffer.from(readCorpus(`mcp-tools-list/${file}`)).toString())).map((tool) => [
          tool.name,
          tool,
        ]),
      );
      const differing = endpoints.filter(({ path, inputSchema }) => {
        const listed = live.get(path)?.inputSchema;
        return listed === undefined || gradeInput(inputSchema, modernInput(listed)) !== 'none';
      });
      expect(differing.map(({ path }) => path)).toEqual([]);
    },
  );
});
