import { prepareTools } from './prepared-tool.js';
import type { EmittedPackage, PackageContent } from './emitted-package.js';
import { byText } from './names.js';
import { emitPython } from './python/emit.js';
import { emitRuby } from './ruby/emit.js';
import type {
  GeneratedPackage,
  GenerationOptions,
  GenerationWarning,
  Language,
  ToolInterface,
} from './tool-interface.js';
import { emitTypescript } from './typescript/emit.js';

const emitters: Readonly<Record<Language, (content: PackageContent) => EmittedPackage>> = {
  typescript: emitTypescript,
  python: emitPython,
  ruby: emitRuby,
};

export const languages = Object.keys(emitters) as readonly Language[];

/**
 * A package for those who implement tools: a module for each version of each tool, with its types, a base class that fills in
 * defaults and checks arguments and results, and its spec. Pure: the same tools, in any order, give the same files.
 *
 * @throws UnusableTool a version that is no SemVer, a digest that is none, a name and version that stand twice
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
  const warnings: GenerationWarning[] = [];
  const content = { tools: prepareTools(tools, warnings), version: packageVersion };
  const { files, modules } = emitters[language](content);
  return { files: new Map([...files].sort(([a], [b]) => byText(a, b))), modules, warnings };
}
