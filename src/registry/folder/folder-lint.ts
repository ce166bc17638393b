import type { FileFault } from '../specs/spec-file.js';
import { neighborsAmong } from '../specs/neighbors.js';
import { type LintFinding, lintTool } from '../specs/tool-lint.js';
import { newestOf, type RegistryFolder } from './registry-folder.js';

/** A weakness of a tool, and where its file has it. */
export interface FileFinding extends LintFinding, Pick<FileFault, 'file' | 'line'> {}

/** Finds what is weak about the newest version of each tool: what is published can't be changed any more. */
export function lintFolder({ specs }: RegistryFolder): readonly FileFinding[] {
  const newest = newestOf(specs);
  const neighborsOf = neighborsAmong(newest.map(({ spec }) => spec));
  return newest.flatMap(({ path: file, spec, placeOf }) =>
    lintTool(spec, neighborsOf(spec)).map((finding) => ({ ...finding, file, ...placeOf(finding.pointer) })),
  );
}
