import type { AnySchema } from 'ajv/dist/2020.js';

/**
 * Validators that are compiled when they are first used. There are hundreds, and to compile them all would take half of
 * the service's start; it may do so afterwards, so that no request has to wait for it.
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

  /** Compiles one after the other of those that nobody has used. */
  *compileAhead(): Generator<void> {
    for (const compiled of this.uncompiled) {
      compiled();
      yield;
    }
  }
}
