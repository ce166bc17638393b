import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../kernel/migrations.js';

/** The part of JSON Schema that options are made from. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly format?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly description?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

/** A request that the service answers, as far as the command line asks for it. */
export interface ServiceOperation {
  readonly summary: string;
  readonly query: readonly Parameter[];
  /** Undefined where it takes no JSON. */
  readonly body: Schema | undefined;
}

const base = '/v1/hosts/{hostId}';

/**
 * The OpenAPI document of the package, which follows from the definitions of records, links and routes: what it says of
 * a noun, the command line has options for.
 */
export class ServiceDocument {
  private constructor(private readonly document: OpenApi) {}

  private static read: ServiceDocument | undefined;

  static ofPackage(): ServiceDocument {
    this.read ??= new ServiceDocument(
      JSON.parse(
        readFileSync(join(packageRoot(), 'openapi', 'portal-catalog.openapi.json'), 'utf8'),
      ) as OpenApi,
    );
    return this.read;
  }

  /** @param path below the host, with parameters in braces: `/skills/{skillId}` */
  operation(method: string, path: string): ServiceOperation | undefined {
    const found = this.document.paths[base + path]?.[method.toLowerCase()];
    if (found === undefined) return undefined;
    const parameters = (found.parameters ?? []).map((each) =>
      '$ref' in each ? this.document.components.parameters[nameOf(each.$ref)] : each,
    );
    return {
      summary: found.summary,
      query: parameters.filter((each): each is Parameter => each?.in === 'query'),
      body: this.whole(found.requestBody?.content['application/json']?.schema),
    };
  }

  /** The schema that a reference leads to, or the schema itself. */
  whole<S extends Schema | undefined>(schema: S): S | Schema {
    if (schema?.$ref === undefined) return schema;
    return this.whole(this.document.components.schemas[nameOf(schema.$ref)] ?? {});
  }

  /** Lists below a record, such as those of `/agents/{agentDefId}/skills`. */
  listsBelow(path: string): readonly { readonly step: string; readonly summary: string }[] {
    return this.below(path).flatMap(([step, { get }]) =>
      get?.summary.startsWith('List') === true ? [{ step, summary: get.summary }] : [],
    );
  }

  /** The last words of requests without a body below a record: `activate`, `publish`. */
  stepsBelow(path: string): readonly string[] {
    return this.below(path).flatMap(([step, { post }]) =>
      post === undefined || post.requestBody !== undefined ? [] : [step],
    );
  }

  /** What the paths one step below have. */
  private below(path: string): readonly (readonly [step: string, Readonly<Record<string, Operation>>])[] {
    const prefix = `${base}${path}/`;
    return Object.entries(this.document.paths).flatMap(([each, methods]) => {
      const step = each.startsWith(prefix) ? each.slice(prefix.length) : '';
      return /^[a-z-]+$/.test(step) ? [[step, methods] as const] : [];
    });
  }
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
