/** What to tell a model that put the parameters of a command beside them. Pure. */
import { Invalid } from '../eventsourcing/errors.js';
import type { Parameters } from './agent-command.js';

const invokeKeys: readonly string[] = ['command_name', 'parameters'];
const listKeys: readonly string[] = ['command_names', 'format'];
/** Names that an error gives, and characters of a call that is shown whole. */
const most = { names: 10, shown: 4_000 };

/** Throws Invalid `unknown_top_level_keys` with the call as it was meant. */
export function refuseFlattened(given: Parameters): void {
  const loose = Object.entries(given).filter(([key]) => !invokeKeys.includes(key));
  if (loose.length === 0) return;
  const inner = isObject(given['parameters']) ? given['parameters'] : {};
  const mended = {
    command_name: given['command_name'] ?? '<name>',
    parameters: { ...inner, ...Object.fromEntries(loose) },
  };
  const shown = JSON.stringify(mended);
  const call = shown.length <= most.shown ? shown : '{"command_name": "…", "parameters": {…}}';
  throw unknownKeys(loose, `Put them into parameters: invoke_command ${call}`);
}

/** Throws Invalid `unknown_top_level_keys` with the call as it may be. */
export function refuseUnknownListKeys(given: Parameters): void {
  const loose = Object.entries(given).filter(([key]) => !listKeys.includes(key));
  if (loose.length === 0) return;
  const kept = Object.fromEntries(Object.entries(given).filter(([key]) => listKeys.includes(key)));
  const shown = JSON.stringify(kept);
  const call = shown.length <= most.shown ? shown : '{"command_names": […]}';
  throw unknownKeys(loose, `Call it so: list_commands ${call}. Commands are run with invoke_command`);
}

function unknownKeys(loose: readonly (readonly [string, unknown])[], mend: string): Invalid {
  const names = loose.slice(0, most.names).map(([key]) => key.slice(0, 64));
  const others = loose.length - names.length;
  const all = others > 0 ? `${names.join(', ')} and ${String(others)} more` : names.join(', ');
  return new Invalid('unknown_top_level_keys', `Not known at the top level: ${all}. ${mend}.`);
}

export function isObject(value: unknown): value is Parameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
