import { ScratchCopy, writtenIn } from './walk.js';

/** Says of the catalog of a tool without a description whether it is withheld, and whether its bytes name it. */
const look = `
  import { aTool, bytesOfRows, catalogOf, rowsOf } from './dist/test/catalog-rows.js';
  const rows = rowsOf({ tools: [{ ...aTool, description: '' }] });
  const { withheld, disclosure } = catalogOf(rows);
  const text = bytesOfRows(rows, { withheld: false, examples: true }).bytes.toString();
  console.log(JSON.stringify({ withheld, counted: [...disclosure.withheldBy], named: text.includes(aTool.name) }));
`;

describe('the walk “a new withholding reason”', () => {
  const copy = new ScratchCopy('test/catalog-rows.ts');
  afterAll(() => {
    copy.remove();
  });

  it('takes one object in one file: it compiles, and the tool is withheld for the reason', async () => {
    const [rule = ''] = writtenIn('A new withholding reason');
    copy.insert(
      'src/effective-catalog/disclosure/disclosure.rules.ts',
      'const toolRules: readonly Rule[] = [\n',
      rule,
    );
    expect(await copy.run(look, 'src/effective-catalog/effective-catalog.module.ts')).toEqual({
      withheld: [expect.objectContaining({ toolName: 'getAccounts', reason: 'description_missing' })],
      counted: [['description_missing', 1]],
      named: false,
    });
  });
});
