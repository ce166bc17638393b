import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { documentLimits } from '../documents/limits.js';
import { readYaml } from '../documents/yaml.js';
import { CliFault, exitCodes } from './cli-fault.js';

/** One row of a data set; what else it must be the service says. */
export interface Row {
  readonly prompt: string;
  readonly expect: readonly string[];
}

/** Rows of a file: JSON Lines, or a list in YAML. Throws CliFault with the place of a fault. */
export async function readDataSet(file: string): Promise<Row[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CliFault(exitCodes.usage, `${file} can’t be read: ${String(error)}`);
  });
  return ['.yaml', '.yml'].includes(extname(file)) ? rowsOfYaml(text, file) : rowsOfLines(text, file);
}

function rowsOfYaml(text: string, file: string): Row[] {
  let rows: unknown;
  try {
    rows = readYaml(text, documentLimits);
  } catch (error) {
    throw new CliFault(exitCodes.usage, `${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!Array.isArray(rows)) throw new CliFault(exitCodes.usage, `${file} is no list of rows.`);
  return rows as Row[];
}

function rowsOfLines(text: string, file: string): Row[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line) as Row];
    } catch {
      throw new CliFault(exitCodes.usage, `${file}, line ${String(index + 1)} is no JSON object.`);
    }
  });
}
