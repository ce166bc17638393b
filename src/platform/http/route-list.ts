import 'reflect-metadata';
import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/internal';
import { OPERATION, type OperationSpec } from './operation.js';

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
