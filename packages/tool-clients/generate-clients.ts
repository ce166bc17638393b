import { readmeOf, type Emitter } from './emitter.js';
import { byText } from './names.js';
import { prepareTools, type PreparedTool } from './prepared-tool.js';
import { python } from './python/emit.js';
import { ruby } from './ruby/emit.js';
import type {
  GeneratedPackage,
  GenerationOptions,
  GenerationWarning,
  Language,
  ToolInterface,
} from './tool-interface.js';
import { typescript } from './typescript/emit.js';

const emitters: Readonly<Record<Language, Emitter>> = { typescript, python, ruby };

/**
 * A package for those who implement tools: a module for each version of each tool, with its types, a base class that fills in
 * defaults and checks arguments and results, and its spec. What no module can be of is left out, with a warning: a version that is no
 * SemVer, a digest that is none, a name and version that stand twice. Pure: the same tools, in any order, give the same files.
 *
 * @throws RangeError a package version that is not like 1.2.3
 */
export function generateClients(
  tools: readonly ToolInterface[],
  language: Language,
  { packageVersion = '0.1.0' }: GenerationOptions = {},
): GeneratedPackage {
  if (!/^\d{1,9}\.\d{1,9}\.\d{1,9}$/.test(packageVersion))
    throw new RangeError(
      `The version of the package must be like 1.2.3, not ${JSON.stringify(packageVersion)}.`,
    );
  const emitter = emitters[language];
  const warnings: GenerationWarning[] = [];
  const prepared: PreparedTool[] = [...prepareTools(tools, warnings)];
  const emitted = prepared.map((tool) => emitter.emit(tool));
  const modules = emitted.map(({ module }) => module);
  const [first] = prepared;
  const readme = readmeOf(language, first === undefined ? '' : emitter.example(first), { modules, warnings });
  const around = emitter.around(prepared, readme, packageVersion);
  const files = [...emitted.flatMap(({ files }) => files), ...around].sort(([a], [b]) => byText(a, b));
  return { files: new Map(files), modules, warnings };
}
