import { headOfTool, toolLines } from '../emitted-package.js';
import type { Form, Member, ObjectForm, Scalar } from '../form.js';
import { asciiJson, commentLines } from '../literals.js';
import { pascal } from '../names.js';
import type { PreparedTool } from '../prepared-tool.js';
import { sidesOf, TypeNames } from '../type-names.js';

/** The signature file (RBS) of one version of a tool. */
export function signaturesOf(prepared: PreparedTool, inCode: ReadonlyMap<string, string>): string {
  const [input, output] = sidesOf(prepared, new TypeNames(prepared.names)).map(
    ({ document, definitions }) => new Signatures(document.definitions, aliases(definitions)),
  );
  const result = output?.type(prepared.output.root) ?? 'untyped';
  const { members, further } = prepared.parameters;
  const parameters = [
    ...members.map((member) => parameterOf(member, inCode.get(member.name) ?? member.name, input)),
    ...(further ? [`additional_properties: ::Hash[::String, ${input?.type(further) ?? 'untyped'}]`] : []),
  ];
  const body = `${[...(input?.declared() ?? []), ...(output?.declared() ?? [])].join('')}type result = ${result}

def self.spec: () -> ::ToolRegistry::Runtime::Spec

class Output < ::Struct[untyped]
  include ::ToolRegistry::Runtime::Wire

  attr_accessor result: result
  attr_accessor metadata: ::Hash[untyped, untyped]?
  attr_accessor instruction: ::String?

  def self.new: (result: result, ?metadata: ::Hash[untyped, untyped]?, ?instruction: ::String?) -> instance
end

${comment(toolLines(prepared))}class Base
  def execute: (untyped arguments) -> Output

${indented(comment(members.flatMap((member) => parameterLines(member, inCode))), '  ')}  def call: (${parameters.join(', ')}) -> Output
end
`;
  return `# ${headOfTool(prepared)}

module ToolRegistry
  module ${pascal(prepared.names)}
    module ${prepared.version.toUpperCase()}
${indented(body, '      ')}    end
  end
end
`;
}

/** Names of types begin with a small letter. */
function aliases(definitions: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map(
    [...definitions].map(([pointer, name]) => [pointer, name.charAt(0).toLowerCase() + name.slice(1)]),
  );
}

function parameterOf({ form, presence }: Member, name: string, types: Signatures | undefined): string {
  const type = types?.type(form) ?? 'untyped';
  if (presence === 'optional') return `?${name}: ${type === 'untyped' ? type : `(${type})?`}`;
  return `${presence === 'filled' ? '?' : ''}${name}: ${type}`;
}

/** Types of one side of a tool, written in place. */
class Signatures {
  constructor(
    private readonly definitions: ReadonlyMap<string, Form>,
    private readonly names: ReadonlyMap<string, string>,
  ) {}

  declared(): readonly string[] {
    return [...this.definitions].map(
      ([pointer, form]) => `type ${this.names.get(pointer) ?? ''} = ${this.type(form)}\n\n`,
    );
  }

  type(form: Form): string {
    switch (form.kind) {
      case 'unknown':
        return 'untyped';
      case 'null':
        return 'nil';
      case 'boolean':
        return 'bool';
      case 'integer':
        return '::Integer';
      case 'number':
        return '(::Integer | ::Float)';
      case 'string':
        return '::String';
      case 'literals':
        return oneOf(form.values.map(literal));
      case 'array':
        return `::Array[${this.type(form.items)}]`;
      case 'tuple':
        return this.tuple(form);
      case 'map':
        return `::Hash[::String, ${this.type(form.values)}]`;
      case 'object':
        return this.object(form);
      case 'union':
        return oneOf(form.of.map((one) => this.type(one)));
      case 'reference':
        return this.names.get(form.to) ?? 'untyped';
    }
  }

  private tuple({ places, required, rest }: Extract<Form, { kind: 'tuple' }>): string {
    const types = places.map((place) => this.type(place));
    if (rest === undefined && required === places.length) return `[${types.join(', ')}]`;
    return `::Array[${oneOf([...types, ...(rest ? [this.type(rest)] : [])])}]`;
  }

  /** A record where all members are there: RBS 2.7 has no optional ones. */
  private object({ members, further }: ObjectForm): string {
    const types = members.map(({ form }) => this.type(form));
    const isRecord = members.every(({ name, presence }) => presence !== 'optional' && isPlain(name));
    if (members.length === 0 || further !== undefined) return '::Hash[::String, untyped]';
    if (!isRecord) return `::Hash[::String, ${oneOf(types)}]`;
    return `{ ${members.map(({ name }, index) => `"${name}" => ${types[index] ?? 'untyped'}`).join(', ')} }`;
  }
}

function oneOf(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.includes('untyped')) return 'untyped';
  return distinct.length === 1 ? (distinct[0] ?? 'untyped') : `(${distinct.join(' | ')})`;
}

/** Texts that RBS reads as they are. */
const isPlain = (text: string): boolean => /^[\w .,:;/+*=()>@!?&%-]*$/.test(text);

function literal(value: Scalar): string {
  if (value === null) return 'nil';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return isPlain(value) ? `"${value}"` : '::String';
  return Number.isSafeInteger(value) && value >= 0 ? String(value) : '(::Integer | ::Float)';
}

function parameterLines(
  { name, description, ...member }: Member,
  inCode: ReadonlyMap<string, string>,
): readonly string[] {
  const note = member.default === undefined ? '' : ` Default: ${asciiJson(member.default).slice(0, 200)}`;
  const [first = '', ...others] = commentLines(description + note);
  return first === '' ? [] : [`${inCode.get(name) ?? name}: ${first}`, ...others.map((line) => `  ${line}`)];
}

const comment = (lines: readonly string[]): string =>
  lines.map((line) => `# ${line}`.trimEnd() + '\n').join('');

const indented = (text: string, indent: string): string => text.replace(/^(?=.)/gm, indent);

/** `sig/tool_registry/runtime.rbs` */
export const rubyRuntimeSignatures = `module ToolRegistry
  module Runtime
    class Spec < ::Struct[untyped]
      attr_reader name: ::String
      attr_reader version: ::String
      attr_reader title: ::String
      attr_reader description: ::String
      attr_reader host: ::String?
      attr_reader input_schema: ::Hash[::String, untyped]
      attr_reader output_schema: ::Hash[::String, untyped]?
      attr_reader digest: ::String
    end

    class Fault < ::Struct[untyped]
      attr_reader pointer: ::String
      attr_reader reason: ::String
      attr_reader detail: ::String
    end

    class Invalid < ::StandardError
      attr_reader faults: ::Array[Fault]
    end

    class InvalidArguments < Invalid
    end

    class InvalidResult < Invalid
    end

    module Wire
      def to_wire: () -> ::Hash[::String, untyped]
    end
  end
end
`;
