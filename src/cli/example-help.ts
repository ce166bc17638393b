/** The end of a subcommand's `--help`: how it is called. */
export function exampleHelp(...calls: readonly string[]): string {
  return `\nExamples:\n${calls.map((call) => `  $ portal-catalog ${call}`).join('\n')}`;
}
