// Implements every tool of a package by what it was given, and serves them: POST <path> with the arguments as JSON.
// Usage: node serve.mjs <folder of the package> '{"<path>": "<module>"}'. Prints its port; ends with its standard input.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const home = pathToFileURL(`${process.argv[2]}/dist/`);
const modules = JSON.parse(process.argv[3]);
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
    implementations.set(module, new Echo());
  }
  return implementations.get(module);
}

async function answerTo(path, body) {
  const echo = await implementationOf(modules[path]);
  try {
    return [200, await echo.execute(JSON.parse(body))];
  } catch (error) {
    if (error.faults === undefined) throw error;
    const faults = error.faults.map(({ pointer, reason }) => `${pointer} ${reason}`);
    return [
      error.name === 'InvalidArguments' ? 400 : 500,
      { error: error.name, faults, message: error.message },
    ];
  }
}

const server = createServer(async (request, response) => {
  const [status, answer] = await answerTo(request.url, await text(request));
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}).listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.resume().on('end', () => process.exit());
