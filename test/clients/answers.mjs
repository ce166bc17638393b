// Implements every tool by what it was given, and answers calls: a line of JSON in, a line of JSON out.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const home = pathToFileURL(`${process.argv[2]}/dist/`);
const implementations = new Map();

async function implementationOf(module) {
  if (!implementations.has(module)) {
    const exported = await import(new URL(`${module.replace('tool-registry/', '')}.js`, home));
    const [, Base] = Object.entries(exported).find(([name]) => name.endsWith('Base'));
    class Echo extends Base {
      _execute(input) {
        return Object.hasOwn(input, 'result') ? input : { result: input };
      }
    }
    implementations.set(module, { echo: new Echo(), spec: exported.spec });
  }
  return implementations.get(module);
}

for await (const line of createInterface({ input: process.stdin })) {
  const { module, text } = JSON.parse(line);
  const { echo, spec } = await implementationOf(module);
  let answer;
  try {
    answer = { version: spec.version, answer: await echo.execute(JSON.parse(text)) };
  } catch (error) {
    if (error.faults === undefined) throw error;
    answer = {
      error: error.name,
      faults: error.faults.map(({ pointer, reason }) => [pointer, reason]),
      message: error.message,
    };
  }
  console.log(JSON.stringify(answer));
}
