import { describeWithCorpus, samplesOfCorpus } from '../../test/import-laws.js';
import { cleanDocument } from '../../src/documents/clean-document.js';
import { documentLimits } from '../../src/documents/limits.js';
import { readJson, type Json } from '../../src/documents/json.js';
import { WarningLog } from '../../src/documents/findings.js';
import { readYaml } from '../../src/documents/yaml.js';
import { offeredFacts } from '../../src/formats/endpoint-facts.js';
import { readDescription } from '../../src/formats/read-description.js';

/** The same document with the members of every object, and the files of an upload, the other way round. */
function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).reverse();
  return Object.fromEntries(members.map(([key, inner]) => [key, reversed(inner)]));
}

/** As an object; undefined of a text with a language of its own. */
function parsed(document: string | object): Json | undefined {
  const pass = (): void => undefined;
  if (typeof document === 'object') return document as Json;
  const text = document.replace(/^\ufeff/, '');
  if (/^\s*[{[]/.test(text)) return readJson(text) as Json;
  const value = /^(openapi|swagger|lightapi):/m.test(text)
    ? readYaml(text, documentLimits, { onDuplicate: pass })
    : undefined;
  return value === undefined ? undefined : cleanDocument(value, documentLimits, new WarningLog());
}

describeWithCorpus('every document of the corpus', () => {
  const read = async (document: string | object) => {
    const { format, offers } = await readDescription(document, { format: 'auto' });
    return {
      format,
      offers,
      digests: offers.map(({ digest }) => digest),
    };
  };

  it.each(samplesOfCorpus())('$name says the same twice, in any order of its members', async (sample) => {
    const { format, document, operations } = sample;
    const first = await read(document);
    expect(first.format).toBe(format);
    if (operations !== undefined) expect(first.offers).toHaveLength(operations);
    expect((await read(document)).digests).toEqual(first.digests);
    const turned = parsed(document);
    if (turned === undefined) return;
    const named = ({ offers }: typeof first) =>
      offers.map((offer) => [offer.endpoint, offeredFacts(offer).name]);
    expect(named(await read(reversed(turned) as object))).toEqual(named(first));
  });
});
