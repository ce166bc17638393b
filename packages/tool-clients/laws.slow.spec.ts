import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import ts from 'typescript';
import { schemas, values } from '../../test/client-schemas.js';
import { aTool } from '../../test/hostile-tools.js';
import { oracleOf } from '../../test/schema-oracle.js';
import { isObject, type Json } from '../schema-reading/keywords.js';
import { unknown, type Form } from './form.js';
import { portablePattern } from './portable-pattern.js';
import { contractLiteral, prepareTools } from './prepared-tool.js';
import { typescriptRuntime } from './typescript/runtime.js';
import { many } from '../../test/soak.js';

interface Runtime {
  readonly Contract: new (text: string) => { input(given: unknown): unknown };
  readonly InvalidArguments: new () => Error & { readonly faults: readonly { readonly reason: string }[] };
}

async function loadRuntime(): Promise<Runtime> {
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 };
  const { outputText } = ts.transpileModule(typescriptRuntime, { compilerOptions: options });
  return (await import(`data:text/javascript,${encodeURIComponent(outputText)}`)) as Runtime;
}

/** What a literal of the generated code is when it runs. */
const evaluated = (literal: string): string => runInNewContext(literal) as string;

describe('what the generated code checks', () => {
  it('is what ajv checks', async () => {
    const { Contract, InvalidArguments } = await loadRuntime();
    const verdict = (contract: InstanceType<Runtime['Contract']>, given: Json): boolean => {
      try {
        contract.input(given);
        return true;
      } catch (fault) {
        if (!(fault instanceof InvalidArguments)) throw fault;
        return false;
      }
    };
    const both = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(schemas, fc.array(values, { minLength: 1, maxLength: 12 }), (schema, given) => {
        const [prepared] = prepareTools([aTool('any', schema)], []);
        if (prepared === undefined) throw new Error('no tool');
        const text = contractLiteral(prepared, new Map([['value', 'value']]), 'typescript');
        const contract = new Contract(evaluated(text));
        const ajv = oracleOf(schema);
        for (const value of given) {
          const expected = ajv({ value });
          expect([value, verdict(contract, { value })]).toEqual([value, expected]);
          both[expected ? 'taken' : 'refused'] += 1;
        }
      }),
      many(400),
    );
    expect(Math.min(both.taken, both.refused)).toBeGreaterThan(100);
  });

  it('is of the type that the schema comes to', () => {
    let taken = 0;
    fc.assert(
      fc.property(schemas, fc.array(values, { minLength: 1, maxLength: 12 }), (schema, given) => {
        const [prepared] = prepareTools([aTool('any', schema)], []);
        const { root, definitions } = prepared?.input ?? {
          root: unknown,
          definitions: new Map<string, Form>(),
        };
        const ajv = oracleOf(schema);
        for (const value of given.filter((each) => ajv({ value: each }))) {
          taken += 1;
          expect([value, isOf(root, { value }, definitions)]).toEqual([value, true]);
        }
      }),
      many(400),
    );
    expect(taken).toBeGreaterThan(100);
  });

  it('matches what the regular expression of the schema matches', () => {
    const part = fc.constantFrom(
      ...[
        'a',
        'b',
        '.',
        '\\d',
        '\\D',
        '\\w',
        '\\W',
        '\\s',
        '\\S',
        '[ab]',
        '[^a]',
        '[\\s\\d]',
        '[^\\W_]',
        '[\\]\\-^&]',
      ],
      ...[
        '(a|b)',
        '(?:ab)?',
        '(?<x>a)',
        '(?=a)',
        '(?!b)',
        '\\b',
        '\\B',
        '\\u{1f600}',
        '\\/',
        '\\n',
        '[\\u{1f600}-\\u{1f64f}]',
      ],
    );
    const counted = fc
      .tuple(part, fc.constantFrom('', '', '*', '+?', '{2}', '{1,2}?'))
      .map(([one, times]) => (/^\\[bB]$|^\(\?[=!]/.test(one) ? one : one + times));
    const pattern = fc
      .tuple(
        fc.constantFrom('', '^'),
        fc.array(counted, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('', '$'),
      )
      .map(([start, parts, end]) => start + parts.join('') + end)
      .filter((source) => 'source' in portablePattern(source, 'typescript') && isExpression(source));
    const text = fc.string({
      unit: fc.constantFrom(
        'a',
        'b',
        '1',
        '_',
        ' ',
        '\n',
        '\u2028',
        'é',
        '٣',
        ']',
        '-',
        '&',
        '/',
        '\u{1f600}',
        '\u00a0',
      ),
      maxLength: 5,
    });
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 5 }), (source, texts) => {
        const portable = portablePattern(source, 'typescript');
        const written = new RegExp('source' in portable ? portable.source : '', 'u');
        const given = new RegExp(source, 'u');
        for (const each of texts) expect([each, written.test(each)]).toEqual([each, given.test(each)]);
      }),
      many(1_000),
    );
  });
});

function isExpression(source: string): boolean {
  try {
    return new RegExp(source, 'u').source !== '';
  } catch {
    return false;
  }
}

/** Whether a value is of a form. Members that a form does not list may be there. */
function isOf(form: Form, value: Json, definitions: ReadonlyMap<string, Form>): boolean {
  const all = (one: Form, items: readonly Json[]): boolean =>
    items.every((item) => isOf(one, item, definitions));
  switch (form.kind) {
    case 'unknown':
      return true;
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'boolean':
    case 'number':
    case 'string':
      return typeof value === form.kind;
    case 'literals':
      return form.values.some((one) => one === value);
    case 'array':
      return Array.isArray(value) && all(form.items, value);
    case 'tuple': {
      const { places, required, rest } = form;
      if (!Array.isArray(value) || value.length < required) return false;
      return value.every((item, index) => {
        const place = places[index] ?? rest;
        return place !== undefined && isOf(place, item, definitions);
      });
    }
    case 'map':
      return isObject(value) && all(form.values, Object.values(value));
    case 'object':
      return (
        isObject(value) &&
        form.members.every(({ name, form: member, presence }) =>
          Object.hasOwn(value, name)
            ? isOf(member, value[name] as Json, definitions)
            : presence !== 'required',
        )
      );
    case 'union':
      return form.of.some((one) => isOf(one, value, definitions));
    case 'reference':
      return isOf(definitions.get(form.to) ?? unknown, value, definitions);
  }
}
