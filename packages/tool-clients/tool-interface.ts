import type { JsonObject } from '../schema-reading/keywords.js';

/** One version of a tool, as those who implement it need it. */
export interface ToolInterface {
  /** Any text: it is made fit for each language, and the name on the wire stays what it is. */
  readonly name: string;
  /** SemVer: `1.2.3`. */
  readonly version: string;
  readonly title: string;
  readonly description: string;
  /** The service that runs the tool. */
  readonly host?: string;
  /** JSON Schema 2020-12 of the arguments, of one object. */
  readonly inputSchema: JsonObject;
  /** JSON Schema 2020-12 of the `result`; absent where it may be anything. */
  readonly outputSchema?: JsonObject;
  /** Of the spec that the tool was read from: `sha256:…`. */
  readonly digest: string;
}

export type Language = 'typescript' | 'python' | 'ruby';

export interface GenerationOptions {
  /** Of the package: `1.2.3`. */
  readonly packageVersion?: string;
}

/** What a spec says and a package does not. What is checked is checked alike in every language. */
export interface GenerationWarning {
  readonly tool: string;
  readonly version: string;
  /** RFC 6901, from `/inputSchema` or `/outputSchema`. */
  readonly pointer: string;
  /** `not_checked`: values are not held to it. `not_typed`: values are held to it, their type is a wider one. `replaced`: texts that are no Unicode. */
  readonly code: 'not_checked' | 'not_typed' | 'replaced';
  readonly detail: string;
}

/** Where a version of a tool is found in a package. */
export interface GeneratedModule {
  readonly tool: string;
  readonly version: string;
  /** As it is imported: `tool_registry.read_file.v0_0_2`, `ToolRegistry::ReadFile::V0_0_2`, `tool-registry/read-file/v0_0_2`. */
  readonly module: string;
  /** Names of parameters that differ from those on the wire: wire name to name in the language. */
  readonly renamed: Readonly<Record<string, string>>;
}

export interface GeneratedPackage {
  /** Path to text, with `/` between folders; ordered by path. */
  readonly files: ReadonlyMap<string, string>;
  /** By name and version of the tools. */
  readonly modules: readonly GeneratedModule[];
  readonly warnings: readonly GenerationWarning[];
}

/** Named in the head of every file; goes up whenever the same spec gives other files. */
export const GENERATOR_VERSION = '1.0.0';

/** Notes one thing that a spec says and a package does not. */
export type Warn = (pointer: string, code: GenerationWarning['code'], detail: string) => void;
