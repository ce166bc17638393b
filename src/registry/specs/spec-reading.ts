/** Reads, lints and compares specs, in time and memory that grow with their texts. Threads of the pool run this file, too. */
import { consolidate } from '../consolidation/consolidation.js';
import { type JudgedFinding, judgedFindings } from './accepted-findings.js';
import type { FileFault } from './spec-file.js';
import { type LintFinding, lintTool } from './tool-lint.js';
import { type EvalConfig, readEvalConfig, readToolSpec, type ToolSpec } from './tool-spec.js';

/** A place in a text, from line 1. */
export interface Place {
  readonly pointer: string;
  readonly line: number;
}

/** A spec that was read, or what is wrong with it. */
export interface SpecRead {
  readonly value?: ToolSpec;
  readonly faults: readonly FileFault[];
  /** What goes beyond limits that came later: of what is kept already no faults. */
  readonly late: readonly FileFault[];
  /** Of the pointers that were asked for, in their order. */
  readonly places: readonly Place[];
  /** What the lint finds of it by itself, without other tools, where it was asked for. */
  readonly findings: readonly (LintFinding & Place)[];
}

export interface ConfigRead {
  readonly value?: EvalConfig;
  readonly faults: readonly FileFault[];
}

/** What is done, and what comes of it. */
export interface SpecWork {
  readonly spec: (
    text: string,
    more?: { readonly pointers?: readonly string[]; readonly lint?: boolean },
  ) => SpecRead;
  readonly config: (text: string, path: string) => ConfigRead;
  readonly lint: (spec: ToolSpec) => readonly LintFinding[];
  readonly consolidate: typeof consolidate;
  readonly judge: (...specs: Parameters<typeof judgedFindings>) => readonly JudgedFinding[];
}

export const specWork: SpecWork = {
  spec(text, { pointers = [], lint = false } = {}) {
    const read = readToolSpec({ path: '', text });
    if (read.value === undefined) return { faults: read.faults, late: [], places: [], findings: [] };
    const { value, late = [], placeOf } = read;
    const findings = lint ? lintTool(value).map((each) => ({ ...each, ...placeOf(each.pointer) })) : [];
    return { value, faults: [], late, places: pointers.map(placeOf), findings };
  },
  config(text, path) {
    const { value, faults } = readEvalConfig({ path, text });
    return value === undefined ? { faults } : { value, faults };
  },
  lint: (spec) => lintTool(spec),
  judge: judgedFindings,
  consolidate,
};

export interface SpecTask {
  readonly work: keyof SpecWork;
  readonly given: readonly unknown[];
}

export default function carriedOut({ work, given }: SpecTask): unknown {
  return (specWork[work] as (...given: readonly unknown[]) => unknown)(...given);
}
