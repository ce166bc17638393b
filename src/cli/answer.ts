import { CliFault, exitCodes } from './cli-fault.js';

/** Control characters but tab and line feed: what a catalog holds must not steer the reader's terminal. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

const notJson =
  'The answer is no JSON: what answers at --url (or PORTAL_URL) is no portal catalog, or its answer was cut. Try again, or name the right address.';

const unlike =
  'The answer is not what a portal catalog answers: another service is at --url (or PORTAL_URL), or a catalog of another version. Name the right address.';

/** JSON of the service's answer; CliFault where it is none: something else answered, or less than all of it came. */
export function parsedAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CliFault(exitCodes.unreachable, notJson);
  }
}

/** Prints a command's answer: the service's JSON as it came, or lines for people. */
export function printAnswer(
  json: boolean | undefined,
  answer: string,
  describe: (answer: string) => readonly string[],
): void {
  const text = json
    ? answer
    : understood(() => describe(answer))
        .join('\n')
        .replaceAll(controls, '\ufffd');
  process.stdout.write(`${text}\n`);
}

/** What is read of an answer; who answers something else than the catalog would is no catalog, or one of another version. */
export function understood<Read>(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (error instanceof TypeError) throw new CliFault(exitCodes.unreachable, unlike);
    throw error;
  }
}
