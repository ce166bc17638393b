/** Says which XML a schema asks for, by an outline of it: an agent writes XML as one text. */
import {
  entriesOf,
  flagMember,
  isObject,
  listMember,
  member,
  objectMember,
  textMember,
  type Json,
} from '../../documents/json.js';
import type { OpenApiDocument } from './document.js';
import { objectShape } from '../schema/object-shape.js';
import type { ObjectShape } from '../schema/shape.js';

const MAX_DEPTH = 6;
/** Elements and attributes in one outline. */
const MAX_NAMES = 120;
const MAX_LENGTH = 4_000;

/**
 * An outline like `<pet id="integer"><!-- required --><name>string</name></pet>`; undefined for a schema that says nothing of its elements.
 *
 * @param name of the root, where its schema has none by `xml`
 */
export function xmlOutline(schema: Json, name: string, document: OpenApiDocument): string | undefined {
  const outline = new XmlOutline(document);
  const text = outline.element(schema, name, 0);
  if (outline.names <= 1) return undefined;
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH).replace(/\p{Surrogate}$/u, '')}…`;
}

class XmlOutline {
  names = 0;
  /** Schemas that are being outlined: one that holds itself ends there. */
  private readonly open = new Set<Json>();

  constructor(private readonly document: OpenApiDocument) {}

  element(given: Json, property: string, depth: number): string {
    const schema = this.resolved(given);
    const xml = objectMember(schema, 'xml');
    const tag = tagOf(xml, property);
    if (member(schema, 'type') === 'array' || member(schema, 'items') !== undefined)
      return this.list(schema, property, depth);
    this.names++;
    const shape = objectShape(schema, this.document.source, this.document.onCircle);
    if (shape === undefined) return `<${tag}${namespaceOf(xml)}>${kindOf(schema)}</${tag}>`;
    if (depth >= MAX_DEPTH || this.open.has(schema)) return `<${tag}>…</${tag}>`;
    this.open.add(schema);
    const [attributes, children] = this.inside(shape, depth);
    this.open.delete(schema);
    return `<${tag}${namespaceOf(xml)}${attributes}>${children}</${tag}>`;
  }

  private inside(shape: ObjectShape, depth: number): readonly [attributes: string, children: string] {
    const attributes: string[] = [];
    const children: string[] = [];
    for (const [name, inner] of shape.properties) {
      const described = this.resolved(inner);
      if (flagMember(described, 'readOnly')) continue;
      if (this.names >= MAX_NAMES) {
        children.push('…');
        break;
      }
      const innerXml = objectMember(described, 'xml');
      if (flagMember(innerXml, 'attribute')) {
        this.names++;
        attributes.push(` ${tagOf(innerXml, name)}="${kindOf(described)}"`);
      } else
        children.push(
          `${shape.required.has(name) ? '<!-- required -->' : ''}${this.element(inner, name, depth + 1)}`,
        );
    }
    return [attributes.join(''), children.join('')];
  }

  /** Items stand one after the other, within an element of their own where the list is wrapped. */
  private list(schema: Json, property: string, depth: number): string {
    const xml = objectMember(schema, 'xml');
    const name = textMember(xml, 'name') ?? property;
    const isWrapped = flagMember(xml, 'wrapped') || depth === 0;
    const items = member(schema, 'items') ?? {};
    const item = depth >= MAX_DEPTH ? '' : this.element(items, isWrapped ? property : name, depth + 1);
    const repeated = `${item}<!-- repeated -->`;
    const tag = tagOf(xml, property);
    return isWrapped ? `<${tag}${namespaceOf(xml)}>${repeated}</${tag}>` : repeated;
  }

  private resolved(schema: Json): Json {
    let found = schema;
    for (let step = 0; step < 10; step++) {
      const reference = textMember(found, '$ref');
      const target = reference === undefined ? undefined : this.document.source.find(reference);
      if (target?.kind !== 'local') return found;
      found = target.schema;
    }
    return {};
  }
}

function tagOf(xml: Json | undefined, property: string): string {
  const prefix = textMember(xml, 'prefix');
  const name = textMember(xml, 'name') ?? property;
  return prefix === undefined ? name : `${prefix}:${name}`;
}

function namespaceOf(xml: Json | undefined): string {
  const [namespace, prefix] = [textMember(xml, 'namespace'), textMember(xml, 'prefix')];
  if (namespace === undefined) return '';
  return ` xmlns${prefix === undefined ? '' : `:${prefix}`}="${namespace}"`;
}

function kindOf(schema: Json): string {
  const values = listMember(schema, 'enum').filter((value) => !isObject(value));
  if (values.length > 0) return values.slice(0, 20).map(String).join(' | ');
  return (
    textMember(schema, 'format') ??
    textMember(schema, 'type') ??
    (entriesOf(schema).length > 0 ? 'text' : '…')
  );
}
