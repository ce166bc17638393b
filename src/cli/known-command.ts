import type { Command } from 'commander';
import { likelyMeant } from './likely-meant.js';

/** `gateway <id>` is short for `gateway serve <id>`: what is no word is commander's to judge. */
const commandName = /^[a-z-]+$/;

/**
 * Refuses `sing --help` and `skill sing --help`, which would show the help of what is above, and end as if all were
 * well. Throws CommanderError once it has said so.
 */
export function refuseUnknown(command: Command, [word = '', ...rest]: readonly string[]): void {
  if (!commandName.test(word) || word.startsWith('-') || word === 'help' || command.commands.length === 0)
    return;
  const inner = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
  if (inner === undefined) {
    const names = command.commands.map((each) => each.name());
    const meant = likelyMeant(word, names);
    const hint = meant === undefined ? '' : `\n(Did you mean ${meant}?)`;
    command.error(`error: unknown command '${word}'${hint}`);
  }
  refuseUnknown(inner, rest);
}
