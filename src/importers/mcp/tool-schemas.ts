import { below, isObject, member, type JsonObject } from '../../documents/json.js';
import type { DocumentLimits } from '../../documents/limits.js';
import type { WarningLog, WarningSink } from '../../documents/findings.js';
import { SchemaCopier } from '../schema/schema-copier.js';
import { placeReferences } from '../schema/resource-ids.js';
import { SchemaSource } from '../schema/schema-source.js';
import { standalone } from '../schema/standalone.js';

/**
 * The input schema of a tool as JSON Schema 2020-12 that stands alone, always of an object. One that is missing is mended
 * (any object is accepted); undefined, with a warning, where no object could ever fit it.
 */
export function inputSchemaOf(
  tool: JsonObject,
  pointer: string,
  limits: DocumentLimits,
  warnings: WarningLog,
): JsonObject | undefined {
  const given = tool['inputSchema'];
  const at = below(pointer, 'inputSchema');
  if (given === undefined || given === null || given === true) {
    warnings.warn('input_schema_mended', at, 'The tool has no input schema; any object is accepted.');
    return { type: 'object' };
  }
  if (!isObject(given) || !mayBeObject(given)) {
    warnings.warn('tool_skipped', at, 'The input schema must be that of an object; the tool was left out.');
    return undefined;
  }
  const copied = copy(given, at, limits.inputSchemaLength, warnings);
  if (given['type'] !== 'object' && copied['type'] !== 'object') {
    warnings.warn(
      'input_schema_mended',
      at,
      'The input schema does not say that it is of an object; it was made to.',
    );
  }
  return { ...copied, type: 'object' };
}

export function outputSchemaOf(
  tool: JsonObject,
  pointer: string,
  limits: DocumentLimits,
  warnings: WarningLog,
): JsonObject | undefined {
  const given = tool['outputSchema'];
  if (!isObject(given) || Object.keys(given).length === 0) return undefined;
  const copied = copy(given, below(pointer, 'outputSchema'), limits.outputSchemaLength, warnings);
  // MCP: structured content is an object.
  return copied['properties'] === undefined ? copied : { type: 'object', ...copied };
}

function mayBeObject(schema: JsonObject): boolean {
  const { type } = schema;
  return type === undefined || (Array.isArray(type) ? type : [type]).includes('object');
}

/** Each schema is a document of its own: references in it start at its root. */
function copy(schema: JsonObject, at: string, maxLength: number, warnings: WarningLog): JsonObject {
  placeReferences(schema);
  const source = new SchemaSource(
    schema,
    member(schema, '$defs') === undefined ? '/definitions/' : '/$defs/',
  );
  const copier = new SchemaCopier(source, 'both', within(warnings, at));
  const reference = member(schema, '$ref');
  const target = typeof reference === 'string' ? source.find(reference) : undefined;
  const root = target?.kind === 'local' ? copier.definition(target.pointer) : copier.copyRoot(schema, '');
  return standalone(root, copier, maxLength, '');
}

/** Warnings about a schema name places in the document. */
function within(warnings: WarningLog, at: string): WarningSink {
  return {
    warn: (code, pointer, detail) => {
      warnings.warn(code, at + pointer, detail);
    },
  };
}
