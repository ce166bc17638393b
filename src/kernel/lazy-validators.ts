import type { AnySchema } from 'ajv/dist/2020.js';

/**
 * Compiles validators on first use. There are hundreds, and compiling them all would take half of the service's start; it may
 * be done ahead afterwards, so that no request waits.
 */
export class LazyValidators<Compiled> {
  private readonly uncompiled = new Set<() => Compiled>();

  constructor(private readonly compile: (schema: AnySchema) => Compiled) {}

  /** Gives the validator; throws then where the schema itself is wrong. */
  of(schema: AnySchema): () => Compiled {
    let validate: Compiled | undefined;
    const compiled = (): Compiled => {
      this.uncompiled.delete(compiled);
      return (validate ??= this.compile(schema));
    };
    this.uncompiled.add(compiled);
    return compiled;
  }

  /** Compiles, one a step, those that were not used yet. */
  *compileAhead(): Generator<void> {
    for (const compiled of this.uncompiled) {
      compiled();
      yield;
    }
  }
}
