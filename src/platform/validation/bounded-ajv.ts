import { Ajv2020, type AnySchema, type ErrorObject, type Options } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { MOST_COUNTED } from './faults.js';

/** Gives the errors of a value, in order, about {@link MOST_COUNTED} at most; fills the schema's defaults into it where the options say so. */
export type Check = (value: unknown) => readonly ErrorObject[];

/**
 * Ajv with a limit of errors, which it has not by itself: a list of half a million wrong items would be as many errors, and
 * kept until the next. The values that are wrong are not kept either.
 *
 * One validator decides, and stops at the first error. One lists the errors of what was refused: as soon as there are
 * enough none of its loops goes on. Of branches that may fail (`anyOf`, `if`) it could so be mistaken; it does not decide.
 */
export class BoundedAjv {
  private readonly deciding: Ajv2020;
  private listing: Ajv2020 | undefined;

  constructor(
    private readonly options: Options,
    private readonly formats: Readonly<Record<string, RegExp>> = {},
  ) {
    this.deciding = this.open(false, withoutValues);
  }

  /** Throws where the schema itself is wrong. */
  compile(schema: AnySchema): Check {
    const decide = this.deciding.compile(schema);
    let list: typeof decide | undefined;
    return (value) => {
      if (decide(value)) return [];
      this.listing ??= this.open(true, (code) => withoutValues(endingLoops(code)));
      list ??= this.listing.compile(schema);
      const listed = list(value) ? null : list.errors;
      const found = listed ?? decide.errors ?? [];
      decide.errors = list.errors = null;
      return found;
    };
  }

  private open(allErrors: boolean, process: (code: string) => string): Ajv2020 {
    const ajv = new Ajv2020({ ...this.options, verbose: true, allErrors, code: { process } });
    ajvFormats.default(ajv);
    for (const [name, format] of Object.entries(this.formats)) ajv.addFormat(name, format);
    return ajv;
  }
}

/** Loops of the code that ajv makes stop when there are enough errors. */
function endingLoops(code: string): string {
  return code.replaceAll(
    /\bfor ?\([^{}]*\)\{/g,
    (loop) => `${loop}if(errors>=${String(MOST_COUNTED)})break;`,
  );
}

/** Errors of the code that ajv makes hold no value: of `verbose` only the schema is wanted. */
function withoutValues(code: string): string {
  return code.replaceAll(/,data:\w+\}/g, '}');
}
