import type { JSONSchema } from 'json-schema-to-ts';
import type { DeclaredRoute } from './operation.js';

type Json = Readonly<Record<string, unknown>>;

/** A `title` of this form names the component; other titles are texts like any other. */
const NAME = /^[A-Z][A-Za-z0-9]+$/;

/**
 * The schemas of the OpenAPI document by name, so that generated clients have types with names. A schema has the name of its
 * `title` (`title: 'Impact'`); what `getSkill` answers is a `Skill`, what lists them a `SkillList` of
 * `ListedSkill`, or of `Skill` where lists show all of it; any other body is a
 * `CreateSkillRequest`, any other answer a `CreateSkillResponse`. A schema that is equal to a named one, but for its
 * description and default, refers to it wherever it stands.
 */
export class SchemaComponents {
  private readonly names = new Map<string, string>();
  private readonly named = new Map<string, Json>();

  constructor(routes: readonly DeclaredRoute[]) {
    for (const { operation } of routes)
      for (const part of [operation.answer, operation.body]) this.addTitled(part);
    for (const { operation } of routes) {
      const noun = /^get([A-Z].*)$/.exec(operation.id)?.[1];
      if (noun !== undefined) this.add(noun, operation.answer);
    }
    for (const { operation } of routes) {
      const { id, answer, body } = operation;
      this.add(this.listName(id, answer) ?? `${capital(id)}Response`, answer);
      if (body !== undefined) this.add(`${capital(id)}Request`, body);
    }
  }

  /** The schema with references to what has a name. */
  reference(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((item) => this.reference(item));
    if (!isObject(schema)) return schema;
    const name = this.names.get(textOf(schema));
    const component = name === undefined ? undefined : this.named.get(name);
    if (name === undefined || component === undefined) return this.members(schema);
    const { description, default: preset } = schema;
    const differs = description !== undefined && description !== component['description'];
    return {
      $ref: `#/components/schemas/${name}`,
      ...(differs && { description }),
      ...(preset !== undefined && { default: preset }),
    };
  }

  /** All named schemas, in order of their names. */
  all(): Json {
    const sorted = [...this.named].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([name, schema]) => [name, this.members(schema)]));
  }

  private members(schema: Json): Json {
    return Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, this.reference(member)]));
  }

  /** @throws Error where another schema has the name: one of the two needs another `title`. */
  private add(name: string, schema: unknown): void {
    if (!isObject(schema) || !('properties' in schema || NAME.test(String(schema['title'])))) return;
    const text = textOf(schema);
    if (this.names.has(text)) return;
    if (this.named.has(name))
      throw new Error(`Two schemas of the OpenAPI document are called ${name}: give one another title.`);
    this.names.set(text, name);
    const { default: _, ...component } = schema;
    this.named.set(name, component);
  }

  private addTitled(schema: unknown): void {
    if (typeof schema !== 'object' || schema === null) return;
    const { title } = schema as { readonly title?: unknown };
    if (typeof title === 'string' && NAME.test(title)) this.add(title, schema);
    for (const member of Object.values(schema)) this.addTitled(member);
  }

  /** Names what a list holds where it has no name: lists show less of a skill than `getSkill` does. */
  private listName(id: string, answer: JSONSchema): string | undefined {
    const noun = /^list([A-Z]\w*)$/.exec(id)?.[1]?.replace(/ies$/, 'y').replace(/s$/, '');
    const { properties } = answer as {
      readonly properties?: { readonly items?: { readonly items?: unknown } };
    };
    const item = properties?.items?.items;
    if (noun === undefined || !isObject(item)) return undefined;
    this.add(`Listed${noun}`, item);
    return `${noun}List`;
  }
}

function textOf(schema: Json): string {
  return JSON.stringify({ ...schema, description: undefined, default: undefined });
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function capital(id: string): string {
  return id.charAt(0).toUpperCase() + id.slice(1);
}
