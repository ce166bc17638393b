import type { JSONSchema } from 'json-schema-to-ts';
import { cleanDocument } from '../../documents/clean-document.js';
import { UnreadableDocument, WarningLog, type Fault } from '../../documents/findings.js';
import type { Json } from '../../documents/json.js';
import { smallTextLimits } from '../../documents/limits.js';
import { lineSaidIn, YamlLines } from '../../documents/yaml-lines.js';
import { readYaml } from '../../documents/yaml.js';
import { jsonValidator } from '../../platform/validation/validator.js';
import { roundNumbers } from './spec-numbers.js';

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
  /** What goes beyond limits that came later: of what is kept already no faults. */
  readonly late: readonly FileFault[];
  /** A fault of this file, with its line. */
  readonly fault: (rule: string, pointer: string, detail: string) => FileFault;
  /** Line of what the pointer names, or of the nearest part that is there. */
  readonly lineOf: (pointer: string) => number;
}

const roundedNumber =
  'is a number with more digits than JSON carries, and would be another: take fewer digits, or leave it out';

/** Reads one YAML file and holds it to its schema. Never throws: what is wrong is listed. */
export function readSpecFile({ path, text }: FileText, schema: JSONSchema): ReadFile {
  const lines = new YamlLines(text);
  const lineOf = (pointer: string): number => lines.of(pointer);
  const fault = (rule: string, pointer: string, detail: string): FileFault => ({
    ...{ file: path, line: lineOf(pointer), pointer },
    ...{ rule, detail },
  });
  const refused = (faults: readonly FileFault[]): ReadFile => ({
    ...{ value: undefined, faults, late: [], fault, lineOf },
  });
  try {
    const limits = smallTextLimits;
    if (Buffer.byteLength(text) > limits.bytes) {
      return refused([fault('too_large', '', `A spec holds ${String(limits.bytes)} bytes at most.`)]);
    }
    const log = new WarningLog();
    const value = cleanDocument(readYaml(text, limits), limits, log);
    const dropped = log.all().filter(({ code }) => code === 'member_dropped');
    if (dropped.length > 0) {
      const detail = 'A member can’t be called __proto__: give it another name.';
      return refused(dropped.map(({ pointer }) => fault('schema', pointer, detail)));
    }
    const late = roundNumbers(value).map((pointer) => fault('schema', pointer, roundedNumber));
    const faults = jsonValidator(schema)(structuredClone(value))
      // Says that one of its branches is not met, and the fault in that branch says what.
      .filter(({ detail }) => !/^must match "(?:then|else)" schema$/.test(detail))
      .map(({ pointer, detail }) => fault('schema', pointer, detail));
    return faults.length === 0 ? { value, faults, late, fault, lineOf } : refused(faults);
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    const line = lineSaidIn(error.detail);
    const found = fault(error.code, error.pointer, error.detail);
    return refused([line === undefined ? found : { ...found, line }]);
  }
}
