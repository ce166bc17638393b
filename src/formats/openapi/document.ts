import { below, isObject, member, textMember, type Json, type JsonObject } from '../../documents/json.js';
import type { WarningSink } from '../../documents/findings.js';
import { SchemaSource } from '../schema/source.js';

/** A value and its place in the document. */
export interface Placed<Value extends Json = JsonObject> {
  readonly value: Value;
  readonly pointer: string;
}

/** An OpenAPI document of any version: its parts by place, with references between parts followed. */
export class OpenApiDocument {
  readonly source: SchemaSource;
  readonly version: string;
  readonly isSwagger2: boolean;

  constructor(
    readonly root: JsonObject,
    readonly warnings: WarningSink,
  ) {
    const version = root['swagger'] ?? root['openapi'];
    // YAML reads `swagger: 2.0` as the number 2.
    this.version =
      version === 2 || version === 3
        ? `${String(version)}.0`
        : String(typeof version === 'string' || typeof version === 'number' ? version : '');
    this.isSwagger2 = root['openapi'] === undefined;
    this.source = new SchemaSource(root, this.isSwagger2 ? '/definitions/' : '/components/schemas/');
  }

  /**
   * Follows references of a part (path item, parameter, body, response). Undefined, with a warning, where they lead out
   * of the document or nowhere, or where there is no object.
   */
  part(value: Json | undefined, pointer: string, noun: string): Placed | undefined {
    if (!isObject(value)) {
      if (value !== undefined)
        this.warnings.warn('part_dropped', pointer, `This ${noun} is no object; it was left out.`);
      return undefined;
    }
    const reference = textMember(value, '$ref');
    if (reference === undefined) return { value, pointer };
    const target = this.source.find(reference);
    if (target.kind === 'local' && isObject(target.schema)) {
      const { $ref: _, ...beside } = value;
      return { value: { ...target.schema, ...beside }, pointer: target.pointer };
    }
    const what =
      target.kind === 'external' ? 'refers out of the document, which is not followed' : 'refers to nothing';
    const code = target.kind === 'external' ? 'external_reference' : 'broken_reference';
    this.warnings.warn(code, pointer, `This ${noun} ${what}; it was left out.`);
    return undefined;
  }

  /** What some content says of a media type; since 3.2 that may be a reference. */
  media(content: JsonObject, mediaType: string, pointer: string): Placed | undefined {
    const value = member(content, mediaType);
    return isObject(value) ? this.part(value, below(pointer, 'content', mediaType), 'media type') : undefined;
  }

  /** What a schema that is no more than a reference refers to, else the schema itself. */
  schemaAt(schema: Json): Json {
    const reference = textMember(schema, '$ref');
    const target = reference === undefined ? undefined : this.source.find(reference);
    return target?.kind === 'local' && isObject(schema) && Object.keys(schema).length === 1
      ? target.schema
      : schema;
  }
}
