import { BoundedAjv, type Check } from '../../platform/validation/bounded-ajv.js';
import { faultsOf } from '../../platform/validation/faults.js';
import { UnreadableDocument, type Fault, type WarningLog } from '../../documents/findings.js';
import { below, entriesOf, member, objectMember, textMember, type JsonObject } from '../../documents/json.js';
import { lightApiSchema, operationSchema } from './lightapi.schema.js';

const ajv = new BoundedAjv({ strict: false });
let compiled: { readonly document: Check; readonly operation: Check } | undefined;

function validators() {
  return (compiled ??= { document: ajv.compile(lightApiSchema), operation: ajv.compile(operationSchema) });
}

/**
 * Checks a document against the specification, and gives the operations that are right; one that is not is left out
 * with a warning for each fault.
 *
 * @throws UnreadableDocument `unsupported_version`; `malformed_lightapi` with every fault
 */
export function checkLightApi(root: JsonObject, warnings: WarningLog): readonly [string, JsonObject][] {
  const { lightapi } = root;
  if (lightapi !== '0.1.0') {
    throw new UnreadableDocument(
      'unsupported_version',
      `This is LightAPI ${JSON.stringify(lightapi)}. Version "0.1.0" can be imported: set \`lightapi\` to the version the document is written in.`,
      '/lightapi',
    );
  }
  const faults = check(validators().document, root, '');
  if (faults.length > 0) throw malformed(faults);
  const all = entriesOf(root['operations']);
  const right: [string, JsonObject][] = [];
  for (const [name, operation] of all) {
    const found = check(validators().operation, operation, below('/operations', name));
    if (found.length === 0) right.push([name, operation as JsonObject]);
    for (const { pointer, detail } of found) {
      warnings.warn('operation_skipped', pointer, `${detail}; the operation ${name} was left out.`);
    }
    faults.push(...found);
  }
  if (right.length === 0) throw malformed(faults);
  for (const [name, operation] of right) warnOfUnknown(name, operation, root, warnings);
  return right;
}

function check(checked: Check, value: unknown, at: string): Fault[] {
  // That a condition failed says nothing that its parts do not.
  const errors = checked(value).filter(({ keyword }) => keyword !== 'if' && keyword !== 'anyOf');
  return faultsOf(errors).map(({ pointer, detail }) => ({ pointer: at + pointer, detail }));
}

function malformed(faults: readonly Fault[]): UnreadableDocument {
  const [first] = faults;
  const place = first === undefined ? '' : `: ${first.pointer || '/'} ${first.detail}`;
  return new UnreadableDocument(
    'malformed_lightapi',
    `This is no LightAPI 0.1.0 document${place}. Mend what is named and send it again.`,
    first?.pointer,
    faults,
  );
}

/** What an operation refers to, and where it is declared: here, or in the catalog that the document inherits from. */
const references = [
  ['source', 'sources'],
  ['authentication', 'authentications'],
] as const;

function warnOfUnknown(name: string, operation: JsonObject, root: JsonObject, warnings: WarningLog): void {
  const inherits = objectMember(root['context'], 'inherits');
  const unknown = (reference: string | undefined, holder: unknown, at: string, place: string): void => {
    if (reference === undefined || member(holder, reference) !== undefined) return;
    const pointer = below('/operations', name, at);
    warnings.warn('reference_unknown', pointer, `Nothing of the name "${reference}" stands under ${place}.`);
  };
  for (const [at, place] of references) {
    if (member(inherits, place) === undefined)
      unknown(textMember(operation, at), root[place], at, `/${place}`);
  }
  const source = textMember(operation, 'source');
  const server = objectMember(objectMember(root['sources'], source ?? ''), 'servers');
  if (server !== undefined)
    unknown(textMember(operation, 'server'), server, 'server', `/sources/${source ?? ''}/servers`);
}
