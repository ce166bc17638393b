import { UnreadableDocument } from '../documents/findings.js';
import { readImport } from './read-import.worker.js';

/** Put together here, so that no scanner takes the test for a leak. */
const token = `ghp_${'a1B2'.repeat(9)}`;

const openapi = (more: string): string =>
  `{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{"/a":{"get":{}}},${more}}`;

/** All that is said of a document, as one text. */
async function said(document: string): Promise<string> {
  const body = JSON.stringify({ document });
  const result = await readImport({ body, mediaType: 'application/json', holds: 'document' });
  return JSON.stringify(result.refusal ?? result.document?.warnings);
}

describe('what is said of a document', () => {
  it.each([
    ['duplicate_member', openapi(`"x-a":{"${token}":1,"${token}":2}`)],
    ['duplicate_member', `openapi: 3.1.0\npaths: {}\nx-a:\n  ${token}: 1\n  ${token}: 2\n`],
    ['member_dropped', openapi(`"x-a":{"${token}":{"__proto__":1}}`)],
    ['document_too_deep', openapi(`"x-a":{"${token}":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`)],
    ['malformed_yaml', `openapi: 3.1.0\na: *${token}\n`],
  ])('names no secret, and where it stands: %s', async (code, document) => {
    const words = await said(document);
    expect(words).toContain(code);
    expect(words).toContain('[redacted:github]');
    expect(words).not.toContain(token);
  });

  it('names a place as it is stored', async () => {
    const hook = `"/hooks/${token}":{"get":{"summary":"Hook ${token}"}}`;
    const words = await said(`{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{${hook}}}`);
    expect(words).toContain('"/paths/~1hooks~1[redacted:github]/get/summary"');
    expect(words).not.toContain(token);
  });

  it.each([token, `${'a '.repeat(12)}${token}`])(
    'does not quote what is a single value: %#',
    async (document) => {
      const words = await said(document);
      expect(words).toContain('single value');
      expect(words).not.toContain(token.slice(0, 8));
    },
  );

  it('names no secret of the body around it', async () => {
    const body = `{"document":"","${token}":{"a":1,"a":2}}`;
    const reading = readImport({ body, mediaType: 'application/json', holds: 'document' });
    const words = await reading.then(
      (result) => JSON.stringify(result.refusal),
      (fault: unknown) => (fault instanceof UnreadableDocument ? JSON.stringify(fault) + fault.message : ''),
    );
    expect(words).toContain('code');
    expect(words).not.toContain(token);
  });
});

describe('numbers of a document are as they were written', () => {
  const schema = '{"type":"string","enum":[1.10,9007199254740993]}';
  const parameter = `{"name":"p","in":"query","schema":${schema}}`;
  const paths = `{"/a":{"get":{"parameters":[${parameter}]}}}`;
  const document = `{"openapi":"3.1.0","info":{"title":"A","version":1.10},"paths":${paths}}`;
  const yaml = document.replaceAll(/[{,]/g, '$& ').replaceAll('":', '": ');
  const json = 'application/json';

  it.each([
    ['as the body', 'document?', json, document],
    ['as YAML', 'document?', 'application/yaml', yaml],
    ['as an object of the body', 'document', json, `{"document":${document}}`],
    ['as a text of the body', 'document', json, JSON.stringify({ document })],
    [
      'as a file of the body',
      'document',
      json,
      JSON.stringify({ document: { files: { 'a.json': document } } }),
    ],
    ['as an object of a version', 'spec', json, `{"apiVersion":"1","spec":${document}}`],
  ] as const)('%s, and when it is read again', async (_, holds, mediaType, body) => {
    const first = (await readImport({ body, mediaType, holds })).document;
    expect(first).toMatchObject({ version: '1.10', warnings: [] });
    expect(first?.offers[0]?.facts).toContain('"enum":["1.10","9007199254740993"]');
    const again = await readImport({ body: first?.spec ?? '', mediaType: '', holds: 'packed' });
    expect(again.document).toMatchObject({ version: '1.10', offers: first?.offers });
  });

  it('and those beside it stay numbers', async () => {
    const body = `{"version":1.10,"document":${document}}`;
    const { envelope } = await readImport({ body, mediaType: json, holds: 'document' });
    expect(envelope).toEqual({ version: 1.1 });
  });
});
