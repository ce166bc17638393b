import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { JSONSchema } from 'json-schema-to-ts';
import { Invalid } from '../kernel/errors.js';
import { requireScope } from '../platform/auth/claims.js';
import { type DeclaredRoute, routesOfController } from '../platform/http/operation.js';
import { type Params, SharedRoute } from '../platform/records/routes.js';
import type { Writer } from '../platform/use-cases/use-case.js';
import { jsonValidator, type Validator } from '../platform/validation/validator.js';
import type { Written } from './code-writes.js';

interface Known {
  readonly operation: DeclaredRoute['operation'];
  readonly route: { readonly instance: unknown };
  readonly faultsOf: Validator;
}

/** The operations of the service by which documents are written: each with its own scope, checks and rules. */
@Injectable()
export class CodeOperations {
  private readonly known: ReadonlyMap<string, Known>;

  constructor(discovery: DiscoveryService) {
    const found = discovery.getControllers().flatMap((route) => {
      const { metatype } = route;
      if (typeof metatype !== 'function' || !(metatype.prototype instanceof SharedRoute)) return [];
      const declared = routesOfController(metatype as Parameters<typeof routesOfController>[0]);
      return declared.map(({ operation }) => {
        const { id, body, upload } = operation;
        const faultsOf = body === undefined || upload ? () => [] : jsonValidator(body);
        return [id, { operation, route, faultsOf }] as const;
      });
    });
    this.known = new Map(found);
  }

  /** The schemas of the fields that an operation takes. */
  fieldsOf(id: string): Readonly<Record<string, JSONSchema>> {
    const { body } = this.named(id).operation;
    return (body as { readonly properties?: Readonly<Record<string, JSONSchema>> }).properties ?? {};
  }

  /** Carries out an operation for a writer. Throws as it does over HTTP. */
  async call(writer: Writer, id: string, params: Params, body: object = {}): Promise<Written> {
    const { operation, route, faultsOf } = this.named(id);
    const scopes = [operation.scope].flat().filter((scope) => scope !== 'none');
    requireScope(writer.caller, ...scopes);
    const faults = faultsOf(body);
    if (faults.length > 0) throw new Invalid('invalid_document', `${id} can’t take these values.`, faults);
    const instance = route.instance as SharedRoute;
    return (await instance.answerAnywhere({ writer, params, query: {}, body })) as Written;
  }

  private named(id: string): Known {
    const known = this.known.get(id);
    if (known === undefined) throw new Error(`No shared route has the operation ${id}.`);
    return known;
  }
}
