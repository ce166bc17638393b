import type { Operator, Property } from './ontology.types.js';

const nulls = ['is_null', 'is_not_null'] as const satisfies readonly Operator[];
const ordered = ['gt', 'gte', 'lt', 'lte'] as const satisfies readonly Operator[];
const equal = ['eq', 'in'] as const satisfies readonly Operator[];
const words = ['token_match', 'all_tokens', 'any_tokens'] as const satisfies readonly Operator[];
const parts = ['contains', 'starts_with', 'ends_with'] as const satisfies readonly Operator[];

/** Names the node itself. */
export function id(sqlType: 'uuid' | 'text', description: string): Property {
  return { name: 'id', description, kind: 'id', nullable: false, sqlType, operators: [...equal, ...nulls] };
}

/** Names another node: null for whoever does not see that one. */
export function reference(to: string, sqlType: 'uuid' | 'text', name: string, description: string): Property {
  return { ...id(sqlType, description), name, refersTo: to };
}

export function text(name: string, description: string): Property {
  return {
    ...{ name, description, kind: 'text', nullable: false, sqlType: 'text' },
    operators: [...equal, ...ordered, ...parts, ...words, ...nulls],
  };
}

/** A text that may have thousands of characters. */
export function longText(name: string, description: string): Property {
  return { ...text(name, description), long: true };
}

/** One of the values named. */
export function choice(name: string, values: readonly string[], description: string): Property {
  return {
    ...{ name, description, kind: 'choice', nullable: false, sqlType: 'text', values },
    operators: [...equal, ...nulls],
  };
}

export function integer(name: string, description: string): Property {
  return {
    ...{ name, description, kind: 'integer', nullable: false, sqlType: 'integer' },
    operators: [...equal, ...ordered, ...nulls],
  };
}

export function number(name: string, description: string): Property {
  return {
    ...{ name, description, kind: 'number', nullable: false, sqlType: 'double precision' },
    operators: [...equal, ...ordered, ...nulls],
  };
}

export function boolean(name: string, description: string): Property {
  return {
    ...{ name, description, kind: 'boolean', nullable: false, sqlType: 'boolean' },
    operators: ['eq', ...nulls],
  };
}

/** RFC 3339, UTC. */
export function datetime(name: string, description: string): Property {
  return {
    ...{ name, description, kind: 'datetime', nullable: false, sqlType: 'timestamptz' },
    operators: ['eq', ...ordered, ...nulls],
  };
}

/** A list of texts; `contains` asks for one of them. */
export function list(name: string, description: string): Property {
  return {
    ...{ name, description, kind: 'list', nullable: false, sqlType: 'text[]' },
    operators: ['contains', ...nulls],
  };
}

export function orNull(property: Property): Property {
  return { ...property, nullable: true };
}
