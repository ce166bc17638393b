import { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml';
import type { ImportLimits } from '../import-limits.js';
import { UnreadableDocument } from '../imported.js';
import { lineAndColumn } from '../json/read-json.js';
import { checkSeparators } from '../text-limits.js';
import { duplicateKeys } from './duplicate-keys.js';

/** Core types of YAML 1.2, and the merge key (`<<`) that descriptions still use; every other tag is refused. */
const schema = CORE_SCHEMA.withTags(mergeTag);

const MAX_ALIASES = 20_000;
const MAX_MERGED_KEYS = 100_000;

/**
 * Parses YAML text of one document. Keys that stand twice in one place are refused, unless somebody wants to be told where
 * they are: then the last one counts. What aliases repeat is not copied, so a bomb of them costs nothing until somebody
 * walks through it.
 *
 * @param onDuplicate is given RFC 6901 pointers
 */
export function readYaml(
  text: string,
  limits: ImportLimits,
  onDuplicate?: (pointer: string) => void,
): unknown {
  checkSeparators(text, limits.nodes, true);
  const options = {
    schema,
    maxDepth: limits.depth,
    maxAliases: MAX_ALIASES,
    maxTotalMergeKeys: MAX_MERGED_KEYS,
  };
  try {
    try {
      return load(text, options);
    } catch (fault) {
      const isDuplicate = fault instanceof YAMLException && fault.reason === 'duplicated mapping key';
      if (!isDuplicate || onDuplicate === undefined) throw fault;
      for (const pointer of duplicateKeys(text, limits.depth)) onDuplicate(pointer);
      return load(text, { ...options, json: true });
    }
  } catch (fault) {
    if (fault instanceof YAMLException) throw explain(fault, text);
    throw fault;
  }
}

function explain(fault: YAMLException, text: string): UnreadableDocument {
  const { line, column } = placeOf(fault, text);
  const place = `at line ${String(line)}, column ${String(column)}`;
  if (/exceeded max/.test(fault.reason)) {
    return new UnreadableDocument(
      fault.reason.includes('maxDepth') ? 'document_too_deep' : 'document_too_expensive',
      `The YAML is nested too deep, or repeats itself without measure (${fault.reason}), ${place}. Flatten it, or refer to parts by $ref.`,
    );
  }
  return new UnreadableDocument(
    'malformed_yaml',
    `This is no YAML: ${fault.reason} ${place}. Mend the text there and send it again.`,
  );
}

function placeOf({ mark }: YAMLException, text: string): { line: number; column: number } {
  if (mark) return { line: mark.line + 1, column: mark.column + 1 };
  // Of a second document in the stream the parser does not say where it starts.
  const second = text.slice(1).search(/^---(\s|$)/m);
  return lineAndColumn(text, second < 0 ? 0 : second + 1);
}
