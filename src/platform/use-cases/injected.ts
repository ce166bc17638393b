import 'reflect-metadata';
import type { Abstract } from '@nestjs/common';

/** The classes by which Nest finds what is needed. */
export type ProvidersOf<Needs extends readonly unknown[]> = {
  readonly [Index in keyof Needs]: Abstract<Needs[Index]>;
};

/** The class, whose constructor is given these providers after so many parameters of its own. */
export function injected<Class extends object>(
  target: Class,
  own: number,
  providers: readonly Abstract<unknown>[],
): Class {
  // A rest parameter counts as one of type Array: Nest would look for that.
  const types = Reflect.getMetadata('design:paramtypes', target) as readonly unknown[];
  Reflect.defineMetadata('design:paramtypes', [...types.slice(0, own), ...providers], target);
  return target;
}
