import { existsSync } from 'node:fs';
import { corpusDocuments, ownDocuments, type TriedDocument } from '../../test/fidelity/documents.js';
import { prismLacks, type TriedApi, type Verdict, triedApi } from '../../test/fidelity/judged-calls.js';
import { isKnown } from '../../test/fidelity/known-failures.js';
import { styleMatrix } from '../../test/fidelity/style-matrix.js';
import { corpus } from '../../test/import-laws.js';
import { describeUnless } from '../../test/unless.js';

/** Of all calls, those that arrive as the document says, or are refused or warned of with the reason. */
const LEAST_SHARE = 0.995;

const tried: TriedApi[] = [];
const without = (name: string) => `${name}: judged without Prism`;

function suite(documents: readonly TriedDocument[], withPrism = true): void {
  it.each(documents.map((document) => [document.name, document] as const))(
    '%s: every model takes its tools, and its calls arrive',
    async (name, document) => {
      const api = await triedApi(document, withPrism);
      tried.push(api);
      expect(api.refusals).toEqual([]);
      expect(api.missing).toEqual([]);
      const left = api.calls.filter(({ verdict }) => !['right', 'warned', 'refused'].includes(verdict));
      expect(left.filter((call) => !isKnown(name, call))).toEqual([]);
    },
  );
}

// Prism reads neither nested values in addresses nor parts of several files.
describe('tools and calls of every way to write every kind of value, by the decoder alone,', () => {
  suite(styleMatrix(), false);
});

describeUnless(prismLacks, 'tools and calls of the project’s own documents', () => {
  suite(ownDocuments());
});

describeUnless(
  existsSync(corpus) ? prismLacks : `there is no corpus at ${corpus}`,
  'tools and calls of the corpus',
  () => {
    suite(existsSync(corpus) ? corpusDocuments() : []);
  },
);

describeUnless(prismLacks, 'all documents together', () => {
  it('have so few calls that go wrong', () => {
    const calls = tried.flatMap((api) => api.calls);
    const count = (...verdicts: Verdict[]) =>
      calls.filter(({ verdict }) => verdicts.includes(verdict)).length;
    console.log(tried.map(lineOf).join('\n'), '\n', ...tried.flatMap(wrongOf));
    // Of a part of the documents, which a caller has named, nothing follows for all.
    const isWhole = tried.length === [...styleMatrix(), ...ownDocuments(), ...corpusDocuments()].length;
    const share = count('right', 'warned', 'refused') / calls.length;
    expect(isWhole ? share : 1).toBeGreaterThanOrEqual(LEAST_SHARE);
  });
});

const verdicts: readonly Verdict[] = ['right', 'wrong', 'looser', 'warned', 'refused', 'unjudged'];

function lineOf({ name, tools, refusals, missing, calls, withoutPrism }: TriedApi): string {
  const counts = verdicts
    .map((verdict) => [verdict, calls.filter((call) => call.verdict === verdict).length] as const)
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${String(count)} ${verdict}`);
  const refused = [...new Set(refusals.map(({ provider }) => provider))].map(
    (provider) => `${String(refusals.filter((each) => each.provider === provider).length)} by ${provider}`,
  );
  const judged = withoutPrism === undefined ? '' : `; ${without(withoutPrism)}`;
  return `${name}: ${String(tools)} tools, refused ${refused.join(', ') || '0'}, ${String(missing.length)} arguments missing; calls: ${counts.join(', ') || 'none'}${judged}`;
}

const wrongOf = ({ name, calls }: TriedApi): readonly string[] =>
  calls
    .filter(({ verdict }) => verdict !== 'right')
    .map(
      ({ key, kind, verdict, reasons }) =>
        `${verdict}: ${name} ${key} (${kind}) ${reasons.join(' | ').slice(0, 300)}\n`,
    );
