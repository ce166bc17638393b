import { describeWithCorpus, samplesOfCorpus } from '../../test/import-laws.js';
import { cleanDocument } from './clean-document.js';
import { importLimits } from './import-limits.js';
import type { Json } from './imported.js';
import { readJson } from './json/read-json.js';
import { offerOf } from './layer-offer.js';
import { parseDocument } from './parse-document.js';
import { WarningLog } from './warning-log.js';
import { readYaml } from './yaml/read-yaml.js';

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
    ? readYaml(text, importLimits, { onDuplicate: pass })
    : undefined;
  return value === undefined ? undefined : cleanDocument(value, importLimits, new WarningLog());
}

describeWithCorpus('every document of the corpus', () => {
  const read = async (document: string | object) => {
    const { format, endpoints } = await parseDocument(document, { format: 'auto' });
    return { format, endpoints, digests: endpoints.map((endpoint) => offerOf(endpoint, format).digest) };
  };

  it.each(samplesOfCorpus())('$name says the same twice, in any order of its members', async (sample) => {
    const { format, document, operations } = sample;
    const first = await read(document);
    expect(first.format).toBe(format);
    if (operations !== undefined) expect(first.endpoints).toHaveLength(operations);
    expect((await read(document)).digests).toEqual(first.digests);
    const turned = parsed(document);
    if (turned === undefined) return;
    const named = ({ endpoints }: typeof first) => endpoints.map(({ key, name }) => [key, name]);
    expect(named(await read(reversed(turned) as object))).toEqual(named(first));
  });
});
