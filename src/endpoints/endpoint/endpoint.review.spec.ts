import { evolveEndpoint, type Imported, unknownEndpoint } from './endpoint.state.js';
import { review } from './endpoint.review.js';
import type { EndpointFacts } from '../../formats/endpoint-facts.js';

const says = (facts: EndpointFacts, layer: Imported['layer'] = 'source'): Imported => ({
  apiId: 'accounts',
  apiVersionId: '0198c0de-0000-7000-8000-00000000a001',
  serviceId: 'com.example.accounts',
  envTag: null,
  endpoint: '/accounts@get',
  layer,
  digest: JSON.stringify(facts),
  facts,
});
/** An administrator brings it. */
const brings = (facts: EndpointFacts, layer?: Imported['layer']) => ({
  ...says(facts, layer),
  mayLoosen: true,
});
const known = (facts: EndpointFacts) =>
  evolveEndpoint(unknownEndpoint, { type: 'ApiEndpointImportedEvent', data: says(facts) });

describe('the review of an import', () => {
  it('of a new endpoint tells how much is said of it', () => {
    const { fields, breaking, enrichment, gaps } = review(
      unknownEndpoint,
      brings({ description: 'Lists.', tags: ['a'] }),
    );
    expect({ fields, breaking, enrichment }).toEqual({ fields: [], breaking: false, enrichment: 'none' });
    expect(gaps).toContain('routing.semanticKeywords');
    expect(gaps).not.toContain('routing.domain');
    expect(gaps).not.toContain('description');
  });

  it('names the fields that the document says differently', () => {
    const before = known({ description: 'Lists.', safety: { readOnly: true }, title: 'List' });
    expect(review(before, brings({ description: 'Finds.', safety: { readOnly: false } })).fields).toEqual([
      'description',
      'safety.readOnly',
      'title',
    ]);
  });

  it('says whether a call that was fine may fail now', () => {
    const before = known({ inputSchema: { type: 'object', properties: { a: { type: 'string' } } } });
    const stricter = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    const looser = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } };
    expect(review(before, brings({ inputSchema: stricter })).breaking).toBe(true);
    expect(review(before, brings({ inputSchema: looser })).breaking).toBe(false);
  });

  it('of a second layer names all that it says, and what it offers in vain', () => {
    const before = known({ path: '/accounts', description: 'Lists.' });
    const { fields, conflicts } = review(before, brings({ path: '/other', description: 'x' }, 'gateway'));
    expect(fields).toEqual(['description', 'path']);
    expect(conflicts).toEqual([{ field: 'path', kept: '/accounts', offered: '/other', layer: 'gateway' }]);
  });
});
