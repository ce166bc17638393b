import { EmbeddingEndpoint } from '../../../test/embedding-endpoint.js';
import { Outbound } from '../../platform/network/outbound.js';
import { HttpProvider } from './http.provider.js';
import { TextFault, type ProviderFault } from './embedding.provider.js';
import { inSeconds } from '../../../test/dates.js';

describe('an HTTP provider', () => {
  let endpoint: EmbeddingEndpoint;
  let now = 0;
  beforeEach(async () => {
    endpoint = await EmbeddingEndpoint.start();
  });
  afterEach(() => endpoint.stop());

  const provider = (more: object = {}, outboundAllow: readonly string[] = ['127.0.0.1']) => {
    const settings = {
      model: 'm',
      queryPrefix: '',
      documentPrefix: '',
      batch: 8,
      timeout: 300,
      apiKey: 'secret-key',
    };
    return new HttpProvider(
      { kind: 'openai', url: endpoint.url, ...settings, ...more },
      new Outbound({ outboundAllow }),
      () => now,
    );
  };

  it('asks for 384 dimensions and gives the vectors in the order of the texts', async () => {
    endpoint.answer = ({ input }, response) => {
      const data = input.map((text, index) => ({
        index,
        embedding: Array.from({ length: 384 }, () => text.length),
      }));
      response.end(JSON.stringify({ data: data.reverse() }));
    };
    const vectors = await provider({ documentPrefix: 'doc: ' }).embed(['a', 'bcd'], 'document');
    expect(vectors.map(([first]) => first)).toEqual([6, 8]);
    expect(endpoint.calls).toEqual([
      expect.objectContaining({
        model: 'm',
        input: ['doc: a', 'doc: bcd'],
        dimensions: 384,
        authorization: 'Bearer secret-key',
      }),
    ]);
  });

  it.each([
    ['429', EmbeddingEndpoint.refuses(429, { 'retry-after': '0' })],
    ['500', EmbeddingEndpoint.refuses(500, { 'retry-after': '0' })],
    ['half a body', EmbeddingEndpoint.halfABody],
  ])('asks again after %s', async (_, misbehaves) => {
    let failures = 0;
    endpoint.answer = (call, response) =>
      (failures++ < 2 ? misbehaves : EmbeddingEndpoint.wellBehaved)(call, response);
    expect(await provider().embed(['money'], 'document')).toHaveLength(1);
    expect(endpoint.calls).toHaveLength(3);
  });

  it.each([
    ['another dimension', EmbeddingEndpoint.ofDimension(1536), /1536 dimensions.*384/],
    ['a refusal', EmbeddingEndpoint.refuses(401), /401/],
    ['a redirect', EmbeddingEndpoint.refuses(302, { location: 'http://169.254.169.254/' }), /redirects/],
  ])('does not ask again after %s', async (_, misbehaves, reason) => {
    endpoint.answer = misbehaves;
    await expect(provider().embed(['money'], 'document')).rejects.toMatchObject({
      passing: false,
      message: expect.stringMatching(reason),
    });
    expect(endpoint.calls).toHaveLength(1);
  });

  it.each([
    ['a number beyond 32 bits', 1e39],
    ['zeros alone', 0],
    ['no number', '1'],
  ])('takes no vector of %s', async (_, component) => {
    const embedding = Array.from({ length: 384 }, () => component);
    endpoint.answer = (_call, response) => void response.end(JSON.stringify({ data: [{ embedding }] }));
    await expect(provider().embed(['money'], 'query')).rejects.toBeInstanceOf(TextFault);
  });

  it.each([
    ['seconds', () => '3600'],
    ['a date', () => new Date(inSeconds(3600) * 1000).toUTCString()],
  ])('says how long it is to be left alone, and does not hold on: %s', async (_, retryAfter) => {
    endpoint.answer = EmbeddingEndpoint.refuses(429, { 'retry-after': retryAfter() });
    const fault = await provider()
      .embed(['money'], 'document')
      .catch((error: unknown) => error);
    expect(fault).toMatchObject({ passing: true, wait: expect.any(Number) });
    expect((fault as ProviderFault).wait).toBeGreaterThan(3_500_000);
    expect(endpoint.calls).toHaveLength(1);
  });

  it('gives up on what is slow, and never says its key', async () => {
    endpoint.answer = EmbeddingEndpoint.slow(5_000);
    const failed = await provider()
      .embed(['money'], 'query')
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ passing: true, message: expect.not.stringContaining('secret-key') });
  });

  it('goes nowhere that the guard does not let it go', async () => {
    await expect(provider({}, []).embed(['money'], 'query')).rejects.toMatchObject({ passing: false });
    expect(endpoint.calls).toEqual([]);
  });

  it('leaves alone for a while what keeps failing, then tries once', async () => {
    endpoint.answer = EmbeddingEndpoint.refuses(503);
    const failing = provider();
    for (let call = 0; call < 7; call += 1) await failing.embed(['money'], 'query').catch(() => undefined);
    expect(endpoint.calls).toHaveLength(5);
    now += 31_000;
    endpoint.answer = EmbeddingEndpoint.wellBehaved;
    expect(await failing.embed(['money'], 'query')).toHaveLength(1);
    expect(await failing.embed(['cash'], 'query')).toHaveLength(1);
    expect(endpoint.calls).toHaveLength(7);
  });

  it('is well where it refuses texts, however many', async () => {
    endpoint.answer = EmbeddingEndpoint.refuses(413);
    const picky = provider();
    for (let call = 0; call < 7; call += 1)
      await expect(picky.embed(['money'], 'query')).rejects.toBeInstanceOf(TextFault);
    expect(endpoint.calls).toHaveLength(7);
  });
});
