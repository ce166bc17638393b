import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brokenLaws, corpus, describeWithCorpus, readCorpus } from '../../../test/import-laws.js';
import { parseDocument } from '../parse-document.js';

interface Expected {
  readonly tools: number;
  readonly withoutDescription: number;
  readonly withOutputSchema: number;
  readonly withAnnotations: number;
  readonly namesNotMatching64: readonly string[];
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
      const document = await parseDocument(readCorpus(`mcp-tools-list/${file}`), { format: 'auto' });
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
    },
  );
});
