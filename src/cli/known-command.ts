import type { Command } from 'commander';
import { slipsBetween } from '../../packages/ranking/prompt.js';

/** `gateway <id>` is short for `gateway serve <id>`: commander judges what is no name. */
const commandName = /^[a-z-]+$/;

/**
 * Refuses unknown commands before commander shows the help of their parent for `sing --help`. Throws CommanderError.
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

/** Finds the name that a misspelt word is nearest to; undefined where none is near. */
export function likelyMeant(word: string, names: readonly string[]): string | undefined {
  const slips = word.length < 4 ? 1 : 2;
  const near = names
    .map((name) => ({ name, distance: slipsBetween(word, name, slips) }))
    .filter(({ distance }) => distance > 0 && distance <= slips)
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.name;
}
