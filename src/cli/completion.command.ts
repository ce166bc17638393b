import { Argument, Command } from 'commander';
import { exampleHelp } from './output.js';

const shells = {
  bash: `_portal_catalog() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(portal-catalog complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _portal_catalog portal-catalog`,
  zsh: `#compdef portal-catalog
_portal_catalog() {
  local -a found
  found=("\${(@f)$(portal-catalog complete -- "\${words[@]:1:$((CURRENT - 1))}" 2> /dev/null)}")
  compadd -a found
}
compdef _portal_catalog portal-catalog`,
  fish: `complete -c portal-catalog -a '(portal-catalog complete -- (commandline -opc)[2..] (commandline -ct) 2> /dev/null)'`,
} as const;

/** A script that lets a shell complete commands and options: `completion`. */
export function completionCommand(): Command {
  return new Command('completion')
    .description('print what lets your shell complete commands and options')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(shells)))
    .addHelpText('after', exampleHelp('completion bash >> ~/.bashrc', 'completion fish | source'))
    .action((shell: keyof typeof shells) => {
      process.stdout.write(`${shells[shell]}\n`);
    });
}

/** What may stand in the place of the last word, given the command that the first leads to. */
export function candidates(root: Command, given: readonly string[]): readonly string[] {
  const [last = '', ...before] = given.toReversed();
  let command = root;
  for (const word of before.toReversed())
    command = command.commands.find((each) => each.name() === word) ?? command;
  const option = command.options.find((each) => each.long === before[0]);
  if (option?.argChoices !== undefined) return startingWith(last, option.argChoices);
  const inner = command.commands.map((each) => each.name());
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const options = command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []);
  return startingWith(last, last.startsWith('-') ? [...options, '--help'] : [...inner, ...choices]);
}

function startingWith(start: string, among: readonly string[]): readonly string[] {
  return among.filter((word) => word.startsWith(start));
}
