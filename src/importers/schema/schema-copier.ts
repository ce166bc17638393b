import type { Json, JsonObject } from '../../documents/json.js';
import type { WarningSink } from '../../documents/findings.js';
import { newTrace, type Copied, type Copying, type Trace } from './copied.js';
import { HiddenProperties, type Direction } from './hidden-properties.js';
import type { SchemaSource } from './schema-source.js';
import { SchemaWriter } from './schema-writer.js';

/**
 * Copies schemas of a document as JSON Schema 2020-12, each definition once: keywords of known kind only, references
 * as `#/$defs/<name>`, properties that don't concern the direction left out. What can't be kept is left out with
 * a warning, so that a copy accepts at least what the original does. Of an API's schemas `oneOf` becomes `anyOf`: where
 * branches exclude each other it says the same, and where they overlap (two texts, a number and an integer) `oneOf`
 * refuses what the API takes.
 */
export class SchemaCopier implements Copying {
  readonly hidden: HiddenProperties;
  private readonly definitions = new Map<string, Copied>();

  constructor(
    readonly source: SchemaSource,
    readonly direction: Direction,
    readonly warnings: WarningSink,
  ) {
    this.hidden = new HiddenProperties(source, direction);
  }

  /** The definition at a pointer of the document; copied at first use. */
  definition(pointer: string): Copied {
    const known = this.definitions.get(pointer);
    if (known) return known;
    const copied = this.copyRoot(this.source.at(pointer) ?? {}, pointer);
    this.definitions.set(pointer, copied);
    return copied;
  }

  copyRoot(schema: Json, pointer: string): Copied {
    const trace = newTrace();
    return { schema: this.copy(schema, pointer, trace), trace };
  }

  /** Copies a schema that is a part of something larger, whose trace it adds to. */
  copy(schema: Json, pointer: string, trace: Trace): JsonObject {
    return new SchemaWriter(this, trace).write(schema, pointer);
  }
}
