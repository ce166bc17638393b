import { Ajv2020 } from 'ajv/dist/2020.js';
import { LazyValidators } from './lazy-validators.js';

const { jest } = import.meta;

test('a validator is compiled when it is first used, and those that are not may be compiled ahead', () => {
  const ajv = new Ajv2020();
  const validators = new LazyValidators((schema) => ajv.compile(schema));
  const schemas = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] as const;
  const [text, ...others] = schemas.map((schema) => validators.of(schema));
  const compiling = jest.spyOn(ajv, 'compile');
  const compiled = () => compiling.mock.calls.map(([schema]) => schema);
  expect(text?.()('a text')).toBe(true);
  expect(text?.()(1)).toBe(false);
  expect(compiled()).toEqual([schemas[0]]);
  const steps = validators.compileAhead();
  expect(steps.next().done).toBe(false);
  expect(compiled()).toEqual([schemas[0], schemas[1]]);
  expect([...steps]).toHaveLength(1);
  expect(compiled()).toEqual(schemas);
  expect(others.map((other) => other()(true))).toEqual([false, true]);
  expect(compiled()).toEqual(schemas);
});
