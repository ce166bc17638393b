type Schema = Readonly<Record<string, unknown>>;

/** An argument of a tool: what it is called, and by what field it is given. */
export interface Argument {
  readonly name: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
  /** Of `one`, its choices; `json` is for what no simple field holds. */
  readonly kind: 'text' | 'number' | 'integer' | 'yesNo' | 'one' | 'json';
  readonly choices: readonly string[];
}

export const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The arguments that a schema names at its top; undefined where it is of a form that has no fields. */
export function argumentsOf(schema: Schema): readonly Argument[] | undefined {
  const { properties, required } = schema;
  const isPlain = !['oneOf', 'anyOf', 'allOf', '$ref'].some((word) => word in schema);
  if (!isPlain) return undefined;
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(isObject(properties) ? properties : {}).map(([name, value]) => {
    const of = isObject(value) ? value : {};
    return {
      ...{ name, isRequired: needed.has(name), ...kindOf(of) },
      description: typeof of['description'] === 'string' ? of['description'] : undefined,
    };
  });
}

function kindOf({ type, enum: choices }: Schema): Pick<Argument, 'kind' | 'choices'> {
  const types = [type].flat().filter((each) => each !== 'null');
  if (Array.isArray(choices) && choices.every((each) => typeof each === 'string'))
    return { kind: 'one', choices };
  const kinds = { string: 'text', number: 'number', integer: 'integer', boolean: 'yesNo' } as const;
  const [only] = types;
  const kind = types.length === 1 ? kinds[only as keyof typeof kinds] : undefined;
  return { kind: kind ?? 'json', choices: [] };
}

/** An argument as it was typed is of another kind. */
export class NotOfKind extends Error {
  constructor(
    readonly argument: string,
    readonly kind: Argument['kind'],
  ) {
    super(argument);
  }
}

/** What was typed as values; what was left empty is not given. Throws NotOfKind. */
export function valuesOf(
  fields: readonly Argument[],
  typed: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const given = fields.flatMap(({ name, kind }) => {
    const text = typed[name] ?? '';
    return text === '' ? [] : [[name, valueOf(name, kind, text)] as const];
  });
  return Object.fromEntries(given);
}

function valueOf(name: string, kind: Argument['kind'], text: string): unknown {
  if (kind === 'text' || kind === 'one') return text;
  if (kind === 'yesNo') return text === 'true';
  try {
    const value: unknown = JSON.parse(text);
    const fits =
      kind === 'json' || (typeof value === 'number' && (kind !== 'integer' || Number.isInteger(value)));
    if (fits) return value;
  } catch {
    // Said below.
  }
  throw new NotOfKind(name, kind);
}
