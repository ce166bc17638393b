import { ModulesContainer } from '@nestjs/core';
import { OwnServer } from './own-server.js';

/** Under this @nestjs/cqrs keeps with a handler what it handles. */
const commandKey = '__commandHandler__';

describe('the wiring of the service on the embedded database', () => {
  let server: OwnServer;

  beforeAll(async () => {
    server = await OwnServer.start('embedded');
  });
  afterAll(async () => {
    await server.stop();
  });

  const classes = () =>
    [...server.app.get(ModulesContainer).values()].flatMap(({ providers, controllers }) => [
      ...[...providers.values(), ...controllers.values()].filter(
        ({ metatype }) => typeof metatype === 'function',
      ),
    ]);

  it('makes every provider and controller', () => {
    const missing = classes().filter(({ instance }) => instance === undefined || instance === null);
    expect(classes().length).toBeGreaterThan(20);
    // Nest's own two, which exist within a request only.
    expect(missing.map(({ name }) => String(name)).sort()).toEqual(['INQUIRER', 'REQUEST']);
  });

  it('has one handler for each use case: a second would silently take its place', () => {
    const handled = classes()
      .map(
        ({ metatype }) => Reflect.getMetadata(commandKey, metatype as object) as { name: string } | undefined,
      )
      .filter((handles) => handles !== undefined);
    const names = handled.map((handles) => handles.name);
    expect(handled.length).toBeGreaterThan(20);
    expect(new Set(handled).size).toBe(names.length);
  });
});
