import { _, type Ajv2020, type KeywordCxt } from 'ajv/dist/2020.js';

/** The same text for values that JSON Schema takes for the same, whatever their members are called. */
function keyOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${keyOf(member)}`);
  return `{${members.sort().join()}}`;
}

/** The places of two items that are the same, the later first. */
function sameItems(items: readonly unknown[]): readonly [number, number] | undefined {
  const places = new Map<string, number>();
  for (const [place, item] of items.entries()) {
    const key = keyOf(item);
    const before = places.get(key);
    if (before !== undefined) return [place, before];
    places.set(key, place);
  }
  return undefined;
}

function isAmong(values: readonly unknown[], value: unknown): boolean {
  const key = keyOf(value);
  return values.some((each) => keyOf(each) === key);
}

const isHolder = (value: unknown): boolean => typeof value === 'object' && value !== null;

type Definition = Exclude<ReturnType<Ajv2020['getKeyword']>, boolean>;
type Write = (cxt: KeywordCxt) => void;

/** What each keyword does of its own; false where ajv's own way will do. */
const replacements: Readonly<Record<string, (cxt: KeywordCxt) => boolean>> = {
  uniqueItems: (cxt) => {
    if (cxt.schema !== true) return false;
    const found = cxt.gen.const('same', _`${called(cxt, sameItems)}(${cxt.data})`);
    cxt.setParams({ i: _`${found}[0]`, j: _`${found}[1]` });
    cxt.fail(found);
    return true;
  },
  const: (cxt) => {
    if (!isHolder(cxt.schema)) return false;
    cxt.fail(_`!${called(cxt, isAmong)}([${cxt.schemaCode}], ${cxt.data})`);
    return true;
  },
  enum: (cxt) => {
    if (!Array.isArray(cxt.schema) || !cxt.schema.some(isHolder)) return false;
    cxt.fail(_`!${called(cxt, isAmong)}(${cxt.schemaCode}, ${cxt.data})`);
    return true;
  },
};

function called({ gen }: KeywordCxt, ref: (...values: never[]) => unknown) {
  return gen.scopeValue('func', { ref });
}

/**
 * Lets ajv compare values by their members alone. Its own comparison asks each object for its `constructor`, `valueOf` and `toString`, so it
 * throws or is wrong where these are members of the value.
 */
export function compareByMembers(ajv: Ajv2020): void {
  for (const [keyword, replacement] of Object.entries(replacements)) {
    const rule = ajv.RULES.all[keyword];
    if (typeof rule !== 'object') continue;
    const own = rule.definition as Definition & { readonly code: Write };
    const code: Write = (cxt) => {
      if (!replacement(cxt)) own.code(cxt);
    };
    rule.definition = { ...own, code };
  }
}
