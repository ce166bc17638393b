/** Writes a package. Threads of the pool run this file. */
import { generateClients } from '../../packages/tool-clients/generate-clients.js';
import type {
  GeneratedPackage,
  Language,
  ToolInterface,
} from '../../packages/tool-clients/tool-interface.js';

export interface GenerationTask {
  readonly tools: readonly ToolInterface[];
  readonly language: Language;
  readonly packageVersion: string;
}

export default function generated({ tools, language, packageVersion }: GenerationTask): GeneratedPackage {
  return generateClients(tools, language, { packageVersion });
}
