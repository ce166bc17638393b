import type { JSONSchema } from 'json-schema-to-ts';
import { cleanDocument } from '../../documents/clean-document.js';
import { UnreadableDocument, WarningLog, type Fault } from '../../documents/findings.js';
import type { Json } from '../../documents/json.js';
import { smallTextLimits } from '../../documents/limits.js';
import { nodesOf } from '../../documents/yaml-nodes.js';
import { readYaml } from '../../documents/yaml.js';
import { lineAndColumn } from '../../platform/validation/faults.js';
import { jsonValidator } from '../../platform/validation/validator.js';

/** What is wrong in a file of a registry, and where. */
export interface FileFault extends Fault {
  /** Path below the registry's folder, with slashes. */
  readonly file: string;
  /** From 1; of the nearest part that is there. */
  readonly line: number;
  /** The rule that is broken; stable. */
  readonly rule: string;
}

export interface FileText {
  /** Path below the registry's folder, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** A file that was read: its plain JSON, undefined where there are faults. */
export interface ReadFile {
  readonly value: Json | undefined;
  readonly faults: readonly FileFault[];
  /** A fault of this file, with its line. */
  readonly fault: (rule: string, pointer: string, detail: string) => FileFault;
  /** Line of what the pointer names, or of the nearest part that is there. */
  readonly lineOf: (pointer: string) => number;
}

/** Reads one YAML file and holds it to its schema. Never throws: what is wrong is listed. */
export function readSpecFile({ path, text }: FileText, schema: JSONSchema): ReadFile {
  const lines = new Lines(text);
  const lineOf = (pointer: string): number => lines.of(pointer);
  const fault = (rule: string, pointer: string, detail: string): FileFault => ({
    ...{ file: path, line: lineOf(pointer), pointer },
    ...{ rule, detail },
  });
  const refused = (faults: readonly FileFault[]): ReadFile => ({ value: undefined, faults, fault, lineOf });
  try {
    const limits = smallTextLimits;
    if (Buffer.byteLength(text) > limits.bytes) {
      return refused([fault('too_large', '', `A spec holds ${String(limits.bytes)} bytes at most.`)]);
    }
    const value = cleanDocument(readYaml(text, limits), limits, new WarningLog());
    const faults = jsonValidator(schema)(structuredClone(value))
      // Says that one of its branches is not met, and the fault in that branch says what.
      .filter(({ detail }) => !/^must match "(?:then|else)" schema$/.test(detail))
      .map(({ pointer, detail }) => fault('schema', pointer, detail));
    return faults.length === 0 ? { value, faults, fault, lineOf } : refused(faults);
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    const line = /\bline (\d+)/.exec(error.detail)?.[1];
    const found = fault(error.code, error.pointer, error.detail);
    return refused([line === undefined ? found : { ...found, line: Number(line) }]);
  }
}

/** The lines of a text's members and items, looked up when first asked for. */
class Lines {
  private known: ReadonlyMap<string, number> | undefined;

  constructor(private readonly text: string) {}

  /** Line of the part, or of the nearest one that holds it. */
  of(pointer: string): number {
    this.known ??= this.read();
    for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
      const offset = this.known.get(at);
      if (offset !== undefined) return lineAndColumn(this.text, offset).line;
    }
    return 1;
  }

  private read(): ReadonlyMap<string, number> {
    try {
      const nodes = nodesOf(this.text, smallTextLimits.depth);
      return new Map([...nodes].map(({ pointer, offset }) => [pointer, offset]));
    } catch {
      // What can't be parsed says its line itself.
      return new Map();
    }
  }
}
