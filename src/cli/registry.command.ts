import { Command } from 'commander';
import { generateCommand } from './registry-generate.js';

export function registryCommand(): Command {
  return new Command('registry')
    .description('tools as files: generate packages for those who implement them')
    .addCommand(generateCommand());
}
