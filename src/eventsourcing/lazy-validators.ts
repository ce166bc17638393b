import type { Ajv2020, AnySchema, ValidateFunction } from 'ajv/dist/2020.js';

/**
 * Validators that are compiled when they are first used. There are hundreds, and to compile them all would take half of
 * the service's start; it may do so afterwards, so that no request has to wait for it.
 */
export class LazyValidators {
  private readonly uncompiled = new Set<() => ValidateFunction>();

  constructor(private readonly ajv: Ajv2020) {}

  /** Gives the validator; throws then where the schema itself is wrong. */
  of(schema: AnySchema): () => ValidateFunction {
    let validate: ValidateFunction | undefined;
    const compiled = (): ValidateFunction => {
      this.uncompiled.delete(compiled);
      return (validate ??= this.ajv.compile(schema));
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
