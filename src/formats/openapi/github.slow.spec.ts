import { readFileSync } from 'node:fs';
import { brokenLaws } from '../../../test/import-laws.js';
import { readFlat } from '../../../test/flat-endpoints.js';

/** 12 MB, 1,223 operations, every operation id with a `/` in it. */
const description = readFileSync('node_modules/@octokit/openapi/generated/api.github.com.json');

describe("GitHub's REST description", () => {
  it('has 1,223 endpoints with fitting unique names, in less than 25 MB', async () => {
    const document = await readFlat(description, { format: 'auto' });
    expect(document.endpoints).toHaveLength(1_223);
    expect(brokenLaws(document, 100)).toEqual([]);
    expect(document.endpoints.every(({ sourceName }) => sourceName?.includes('/'))).toBe(true);
    expect(document.endpoints.find(({ sourceName }) => sourceName === 'repos/list-for-org')?.name).toBe(
      'repos_list-for-org',
    );
    expect(JSON.stringify(document.endpoints).length).toBeLessThan(25_000_000);
    expect(document.text).not.toContain('BEGIN RSA PRIVATE KEY');
  });
});
