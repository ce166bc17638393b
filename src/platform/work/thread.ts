import { Tinypool } from 'tinypool';

type Options = NonNullable<ConstructorParameters<typeof Tinypool>[0]>;

/**
 * One thread that carries out the default export of a module. Built, it runs the compiled file; from sources (tests) it is compiled
 * as it is loaded. It is given nothing of the service's environment, least of all its secrets.
 *
 * @param file the module as it is named in sources: `….ts`
 */
export function threadOf(
  file: URL,
  options: Pick<Options, 'minThreads' | 'idleTimeout' | 'resourceLimits'>,
): Tinypool {
  const fromSource = import.meta.url.endsWith('.ts');
  const hooks = new URL('../from-source/register.mjs', import.meta.url).href;
  return new Tinypool({
    ...options,
    filename: fromSource ? file.href : file.href.replace(/\.ts$/, '.js'),
    maxThreads: 1,
    env: {},
    ...(fromSource && { execArgv: ['--import', hooks] }),
  });
}
