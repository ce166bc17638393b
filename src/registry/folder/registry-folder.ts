/** A folder with specs of tools, how they are evaluated, and what was accepted of their changes. Pure. */
import type { AcceptedFinding } from '../specs/accepted-findings.js';
import { byCodePoint, listMember } from '../../documents/json.js';
import { exampleFaults } from './spec-examples.js';
import { type FileFault, type FileText, readSpecFile } from '../specs/spec-file.js';
import { acceptedFindingsSchema } from '../specs/tool-spec.schema.js';
import {
  type EvalConfig,
  namedBy,
  type PlaceOf,
  readEvalConfig,
  readToolSpec,
  type ToolSpec,
} from '../specs/tool-spec.js';
import { compareVersions } from '../specs/version-number.js';

export const specFolder = 'tools/specs';
export const evalFolder = 'eval/configs';
export const acceptedFile = 'tools/accepted-findings.yaml';

export interface SpecFile {
  /** Below the registry's folder. */
  readonly path: string;
  readonly text: string;
  readonly spec: ToolSpec;
  readonly placeOf: PlaceOf;
}

export interface EvalFile {
  readonly path: string;
  readonly text: string;
  readonly name: string;
  readonly version: string;
  readonly config: EvalConfig;
}

export interface RegistryFolder {
  /** Those that could be read, by name, then version. */
  readonly specs: readonly SpecFile[];
  readonly evaluations: readonly EvalFile[];
  readonly accepted: readonly AcceptedFinding[];
  /** Where the file of what was accepted has what a pointer names. */
  readonly acceptedPlaceOf: PlaceOf;
  /** What has to be mended. */
  readonly faults: readonly FileFault[];
  /** What may be meant. */
  readonly warnings: readonly FileFault[];
}

/** Reads all files of a folder; those that belong to none of its parts are passed over. */
export function readRegistry(files: readonly FileText[]): RegistryFolder {
  const faults: FileFault[] = [];
  // What the service has already, it goes on taking; what it has not, it refuses.
  const late: FileFault[] = [];
  const within = (folder: string): readonly FileText[] =>
    files.filter(({ path }) => path.startsWith(`${folder}/`)).sort((a, b) => byCodePoint(a.path, b.path));
  const specs = within(specFolder).flatMap((file): SpecFile[] => {
    const read = readToolSpec(file);
    if (read.value === undefined) faults.push(...read.faults);
    else {
      const { value: spec, placeOf } = read;
      late.push(...(read.late ?? []));
      faults.push(...exampleFaults(spec).map(({ rule, ...at }) => faultIn({ ...file, placeOf }, rule, at)));
      return [{ ...file, spec, placeOf }];
    }
    return [];
  });
  const evaluations = within(evalFolder).flatMap((file): (EvalFile & { readonly placeOf: PlaceOf })[] => {
    const read = readEvalConfig(file);
    const named = namedBy(file.path);
    if (read.value === undefined) faults.push(...read.faults);
    if (read.value === undefined || named === undefined) return [];
    return [{ ...file, ...named, config: read.value, placeOf: read.placeOf }];
  });
  faults.push(...sameButForCase(specs));
  faults.push(...twice(specs.map(({ path, spec }) => ({ path, ...spec }))), ...twice(evaluations));
  const read = acceptedIn(files, faults);
  specs.sort(
    (a, b) => byCodePoint(a.spec.name, b.spec.name) || compareVersions(a.spec.version, b.spec.version),
  );
  return {
    specs,
    evaluations,
    ...read,
    faults,
    warnings: [...late, ...warningsOf(specs, evaluations, faults)],
  };
}

/** The newest version of each tool. */
export function newestOf(specs: readonly SpecFile[]): readonly SpecFile[] {
  return [...new Map(specs.map((file) => [file.spec.name, file])).values()];
}

function faultIn(
  { path, placeOf }: { readonly path: string; readonly placeOf: PlaceOf },
  rule: string,
  { pointer, detail }: { readonly pointer: string; readonly detail: string },
): FileFault {
  return { file: path, ...placeOf(pointer), rule, detail };
}

/** A version that two files are of: `.yaml` beside `.yml`, or in folders within one another. */
function twice(
  files: readonly { readonly path: string; readonly name: string; readonly version: string }[],
): readonly FileFault[] {
  const seen = new Map<string, string>();
  return files.flatMap(({ path, name, version }) => {
    const other = seen.get(`${name} ${version}`);
    seen.set(`${name} ${version}`, path);
    const detail = `${other ?? ''} is of ${name} ${version} already. Remove one of the two.`;
    return other === undefined ? [] : [{ file: path, line: 1, pointer: '', rule: 'twice', detail }];
  });
}

/** Names of which a disk that does not tell capitals from small letters makes one folder, and people one tool. */
function sameButForCase(specs: readonly SpecFile[]): readonly FileFault[] {
  const seen = new Map<string, string>();
  const listed = new Set<string>();
  return specs.flatMap(({ path, placeOf, spec: { name } }) => {
    const other = seen.get(name.toLowerCase());
    if (other === undefined) seen.set(name.toLowerCase(), name);
    if (other === undefined || other === name || listed.has(name)) return [];
    listed.add(name);
    const detail = `${name} differs from ${other} by capitals alone. Give one of the two another name.`;
    return [faultIn({ path, placeOf }, 'case', { pointer: '/name', detail })];
  });
}

/** Prompts that no version is evaluated by, versions without prompts, and tools that are not in this folder. */
function warningsOf(
  specs: readonly SpecFile[],
  evaluations: readonly (EvalFile & { readonly placeOf: PlaceOf })[],
  faults: readonly FileFault[],
): readonly FileFault[] {
  const broken = new Set(faults.map(({ file }) => file));
  const known = new Set(specs.map(({ spec }) => `${spec.name} ${spec.version}`));
  const names = new Set(specs.map(({ spec }) => spec.name));
  const evaluated = new Set(evaluations.map(({ name, version }) => `${name} ${version}`));
  const unasked = newestOf(specs).filter(({ spec: { name, version } }) => {
    const file = `${evalFolder}/${name}/v${version.replaceAll('.', '_')}.yaml`;
    return !evaluated.has(`${name} ${version}`) && !broken.has(file);
  });
  return [
    ...unasked.map(({ path, spec: { name, version } }) => ({
      ...{ file: path, line: 1, pointer: '', rule: 'evaluation_missing' },
      detail: `${name} ${version} has no prompts in ${evalFolder}, and can't be approved without.`,
    })),
    ...evaluations.flatMap((file) => {
      const { name, version, config } = file;
      const unknown = (tool: string, pointer: string): FileFault[] =>
        names.has(tool)
          ? []
          : [faultIn(file, 'tool_unknown', { pointer, detail: `no spec here is of ${tool}` })];
      return [
        ...(known.has(`${name} ${version}`) || broken.has(file.path.replace(evalFolder, specFolder))
          ? []
          : [
              faultIn(file, 'spec_missing', { pointer: '', detail: `no spec here is of ${name} ${version}` }),
            ]),
        ...config.prompts.flatMap(({ expected, forbidden }, place) => [
          ...expected
            .filter((tool) => tool !== name)
            .flatMap((tool) => unknown(tool, `/prompts/${String(place)}/expected`)),
          ...forbidden.flatMap((tool) => unknown(tool, `/prompts/${String(place)}/forbidden`)),
        ]),
      ];
    }),
  ];
}

function acceptedIn(
  files: readonly FileText[],
  faults: FileFault[],
): Pick<RegistryFolder, 'accepted' | 'acceptedPlaceOf'> {
  const file = files.find(({ path }) => path === acceptedFile) ?? { path: acceptedFile, text: '{}' };
  const { value, faults: found, lineOf } = readSpecFile(file, acceptedFindingsSchema);
  if (files.includes(file)) faults.push(...found);
  return {
    accepted: listMember(value, 'accepted') as unknown as readonly AcceptedFinding[],
    acceptedPlaceOf: (pointer) => ({ pointer, line: lineOf(pointer) }),
  };
}
