import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Invalid } from '../kernel/errors.js';
import { type DeclaredRoute, routesOfController } from '../platform/http/operation.js';
import { SharedRoute } from '../platform/records/routes.js';
import { jsonValidator } from '../platform/validation/validator.js';
import type { AgentCommand, Run } from './agent-command.js';
import { CommandWrites } from './command-writes.service.js';
import { routedNames, routedSpec, type RoutedSpec } from './routed-commands.js';

type Wrapper = ReturnType<DiscoveryService['getControllers']>[number];

/** Runs the commands that follow from routes: each by the controller of its route, so that both answer the same. */
@Injectable()
export class RoutedCommands {
  readonly commands: readonly AgentCommand[];

  constructor(
    discovery: DiscoveryService,
    private readonly writes: CommandWrites,
  ) {
    const routes = new Map(discovery.getControllers().flatMap(routesIn));
    this.commands = routedNames.map((name) => {
      const found = routes.get(name);
      if (found === undefined) throw new Error(`No shared route has the operation ${name}.`);
      const spec = routedSpec(found.route);
      return { ...spec, run: this.by(spec, found.wrapper) };
    });
  }

  private by(spec: RoutedSpec, wrapper: Wrapper): Run {
    const { operation, partsOf } = spec;
    const faultsOf = operation.body === undefined ? undefined : jsonValidator(operation.body);
    return async (parameters, context) => {
      const { writer, given } = await this.writes.requestOf(spec, parameters, context);
      const parts = partsOf(given);
      const faults = faultsOf?.(parts.body) ?? [];
      // What a schema says of the body as a whole, such as that it must not be empty.
      if (faults.length > 0)
        throw new Invalid('invalid_parameters', `${spec.name} can’t take these.`, faults);
      const route = wrapper.instance as SharedRoute;
      return { value: await route.answerAnywhere({ writer, ...parts }) };
    };
  }
}

/** The operations of a controller that answers at other doors. */
function routesIn(
  wrapper: Wrapper,
): (readonly [id: string, { readonly route: DeclaredRoute; readonly wrapper: Wrapper }])[] {
  const { metatype } = wrapper;
  if (typeof metatype !== 'function' || !(metatype.prototype instanceof SharedRoute)) return [];
  const declared = routesOfController(metatype as Parameters<typeof routesOfController>[0]);
  return declared.map((route) => [route.operation.id, { route, wrapper }] as const);
}
