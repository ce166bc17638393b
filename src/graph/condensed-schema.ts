/** JSON Schemas in few words, for models: one row a member, types as TypeScript writes them. Pure. */

type Json = Readonly<Record<string, unknown>>;

export interface MemberRow {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly meaning: string;
}

/**
 * @param named what is told elsewhere: name of the member to what stands for its type
 * @param exact types say too which objects take no other members, as `[k: string]: never`
 */
export function memberRows(
  schema: unknown,
  named: Readonly<Record<string, string>> = {},
  exact = false,
): MemberRow[] {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Json;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, member]) => {
    const { description = '', default: preset } = member as {
      readonly description?: string;
      readonly default?: unknown;
    };
    const fallback = preset === undefined ? '' : `Default ${JSON.stringify(preset)}.`;
    const meaning = [description, fallback].filter((part) => part !== '').join(' ');
    return { name, type: named[name] ?? typeText(member, exact), required: required.includes(name), meaning };
  });
}

/** `uuid`, `raw|llm`, `{id: string; columns?: "*"|string[]}[]`, … */
export function typeText(schema: unknown, exact = false): string {
  if (typeof schema !== 'object' || schema === null) return 'any';
  const { const: only, enum: values, anyOf, type, items, format } = schema as Json;
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(values)) return values.map(String).join('|');
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map((one) => typeText(one, exact)))].join('|');
  if (Array.isArray(type)) return type.join('|');
  if (type === 'array') return listText(typeText(items, exact));
  if (type === 'object') return objectText(schema, exact);
  if (typeof format === 'string') return format;
  return typeof type === 'string' ? type : 'any';
}

function listText(item: string): string {
  return item.includes('|') && !item.endsWith('}') ? `(${item})[]` : `${item}[]`;
}

function objectText(schema: object, exact: boolean): string {
  const members = memberRows(schema, {}, exact).map(
    ({ name, type, required }) => `${name}${required ? '' : '?'}: ${type}`,
  );
  if (exact && 'additionalProperties' in schema && schema.additionalProperties === false)
    members.push('[k: string]: never');
  return members.length === 0 ? 'object' : `{${members.join('; ')}}`;
}
