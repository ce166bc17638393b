/** Control characters but tab and line feed: what a catalog holds must not steer the reader's terminal. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Prints a command's answer: the service's JSON as it came, or lines for people. */
export function printAnswer(
  json: boolean | undefined,
  answer: string,
  describe: (answer: string) => readonly string[],
): void {
  const text = json ? answer : describe(answer).join('\n').replaceAll(controls, '\ufffd');
  process.stdout.write(`${text}\n`);
}
