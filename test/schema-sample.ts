interface Schema {
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minLength?: number;
  readonly minimum?: number;
}

/**
 * A value of a schema, as far as event data goes: every property present, one item in every array. Another `variant`
 * gives another value where the schema leaves a choice.
 */
export function sampleOf(schema: unknown, variant: number): unknown {
  const { const: only, enum: words, anyOf, oneOf, type, ...rest } = schema as Schema;
  if (only !== undefined) return only;
  if (words !== undefined) return words[variant % words.length];
  const branch = (anyOf ?? oneOf)?.[0];
  if (branch !== undefined) return sampleOf(branch, variant);
  switch (typeof type === 'string' ? type : type?.find((name) => name !== 'null')) {
    case 'object':
      return Object.fromEntries(
        Object.entries(rest.properties ?? {}).map(([name, member]) => [name, sampleOf(member, variant)]),
      );
    case 'array':
      return rest.items === undefined ? [] : [sampleOf(rest.items, variant)];
    case 'string':
      return `text ${variant}`.padEnd(rest.minLength ?? 0, '.');
    case 'integer':
    case 'number':
      return (rest.minimum ?? 0) + variant;
    case 'boolean':
      return variant % 2 === 1;
    default:
      return null;
  }
}
