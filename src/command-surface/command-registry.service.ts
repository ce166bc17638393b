import { Injectable } from '@nestjs/common';
import type { Caller } from '../platform/auth/caller.js';
import type { AgentCommand } from './agent-command.js';
import { CatalogCommands } from './catalog-commands.service.js';
import { mayUse } from './command-scopes.js';
import { GraphCommands } from './graph-commands.service.js';

/** Every command there is, in the order in which they are told. */
@Injectable()
export class CommandRegistry {
  readonly commands: readonly AgentCommand[];
  private readonly byName: ReadonlyMap<string, AgentCommand>;

  constructor(catalog: CatalogCommands, graph: GraphCommands) {
    this.commands = [...catalog.commands, ...graph.commands];
    this.byName = new Map(this.commands.map((command) => [command.name, command]));
  }

  find(name: string): AgentCommand | undefined {
    return this.byName.get(name);
  }

  /** What a caller may use; nothing else is told to them. */
  usableBy(caller: Caller): readonly AgentCommand[] {
    return this.commands.filter((command) => mayUse(caller, command));
  }
}
