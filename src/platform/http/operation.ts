import { applyDecorators, HttpCode, RequestMethod, SetMetadata, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/internal';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { JSONSchema } from 'json-schema-to-ts';
import 'reflect-metadata';
import type { Scope } from '../auth/caller.js';

/** All that a route declares beside its method and path: who may call it, what it takes, what it gives, in examples. */
export interface OperationSpec {
  /** The specification's name of the operation: `getEffectiveAgentCatalog`. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Any of these; `none`: no token (health, documents). */
  readonly scope: Scope | readonly Scope[] | 'none';
  /** Where `scope` is `none`: a token may come, and is checked then; the handler gives its caller more. */
  readonly optionalToken?: true;
  /** JSON Schema 2020-12 of the query, an object; texts are coerced, defaults filled in, unknown names refused. */
  readonly query?: JSONSchema;
  /** JSON Schema 2020-12 of the body; defaults filled in. Without it the operation takes no body. */
  readonly body?: JSONSchema;
  /** Schemas of path parameters, where the rule of the names (`:xxxId` is a UUID, all else a text) does not fit. */
  readonly params?: Readonly<Record<string, JSONSchema>>;
  readonly status?: 200 | 201;
  /** Leads a browser on: it answers 302, and its `answer` is the page that says what was wrong. */
  readonly redirects?: true;
  /** Answers 201 instead where the record was not there. */
  readonly creates?: true;
  /** JSON Schema 2020-12 of the answer's body. */
  readonly answer: JSONSchema;
  /** Media type of the answer; `application/json` unless said otherwise. */
  readonly answerType?: string;
  readonly example: { readonly query?: object; readonly body?: unknown; readonly answer: unknown };
  /** Several aggregates, all or none: `If-Match` is refused. */
  readonly batch?: true;
  /** Changes nothing whatever its method: takes neither `If-Match` nor `Idempotency-Key`. */
  readonly reads?: true;
  /**
   * The body arrives as the Buffer that was sent, up to 32 MiB, not parsed: JSON, or with `document` also YAML and
   * text, with `folder` also Markdown and archives. With `form` it is one of a browser, as large as other bodies.
   */
  readonly upload?: true | 'document' | 'folder' | 'form';
  /** `refused`: not for tokens narrowed to an agent or a tier (log, histories, exports). */
  readonly confined?: 'refused';
  /** Free to change from version to version: left out of the OpenAPI document; its body may be any object, or none. */
  readonly evolving?: true;
  /** A request without a body is one with an empty object. */
  readonly bodyOptional?: true;
  /** Asks for a session itself, where `scope` is `none`: by the cookie, never by a token. */
  readonly session?: true;
  /** Heading in the documents; the first noun of the path unless said otherwise. */
  readonly tag?: string;
}

/** What Fastify keeps with a route. A bare Fastify route gives it as its `config`. */
export interface RouteSettings {
  readonly operation: OperationSpec;
}

const OPERATION = 'catalog:operation';

/** Declares a route's scope, validation and documentation, beside Nest's own `@Get()`, `@Post()`, … */
export function Operation(operation: OperationSpec): MethodDecorator {
  return applyDecorators(
    RouteConfig({ operation } satisfies RouteSettings),
    SetMetadata(OPERATION, operation),
    HttpCode(operation.status ?? 200),
  );
}

/** A route with its operation, known without anything running. */
export interface DeclaredRoute {
  readonly method: string;
  /** `/v1/hosts/:hostId/skills/:skillId` */
  readonly url: string;
  readonly operation: OperationSpec;
}

/** The routes that the controllers of these modules declare. */
export function routesOf(modules: readonly Type[]): DeclaredRoute[] {
  return modules
    .flatMap((module) => (metadata(MODULE_METADATA.CONTROLLERS, module) ?? []) as Type[])
    .flatMap(routesOfController);
}

export function routesOfController(controller: Type): DeclaredRoute[] {
  const base = pathOf(controller);
  const prototype = controller.prototype as object;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value;
    if (typeof handler !== 'function') return [];
    const operation = metadata(OPERATION, handler) as OperationSpec | undefined;
    if (operation === undefined) return [];
    const method = RequestMethod[metadata(METHOD_METADATA, handler) as RequestMethod];
    return [{ method, url: joined(base, pathOf(handler)), operation }];
  });
}

/** Nest takes several paths for one route; ours have one. */
function pathOf(target: object): string {
  return [metadata(PATH_METADATA, target)].flat()[0] as string;
}

function joined(...parts: readonly string[]): string {
  return `/${parts
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .join('/')}`;
}

function metadata(key: string, target: object): unknown {
  return Reflect.getMetadata(key, target);
}
