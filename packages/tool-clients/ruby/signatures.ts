import { headOfTool, parameterLines, toolLines } from '../emitter.js';
import type { Member, ObjectForm, Scalar } from '../form.js';
import { pascal } from '../names.js';
import type { PreparedTool } from '../prepared-tool.js';
import { TypeNames, Types, type Spelling } from '../types.js';

/** The signature file (RBS) of one version of a tool. */
export function signaturesOf(prepared: PreparedTool, inCode: ReadonlyMap<string, string>): string {
  const names = new TypeNames(prepared.names);
  const input = new Types(prepared.input, spelling, names, names.input);
  const output = new Types(prepared.output, spelling, names, names.result);
  const { members, further } = prepared.parameters;
  const parameters = [
    ...members.map((member) => parameterOf(member, inCode.get(member.name) ?? member.name, input)),
    ...(further ? [`additional_properties: ::Hash[::String, ${input.of(further)}]`] : []),
  ];
  const definitions = [input, output].flatMap((types) =>
    types.definitions().map(([name, form]) => `type ${aliasOf(name)} = ${types.of(form)}\n\n`),
  );
  const body = `${definitions.join('')}type result = ${output.of(prepared.output.root)}

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

${indented(comment(parameterLines(members, inCode)), '  ')}  def call: (${parameters.join(', ')}) -> Output
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
const aliasOf = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

function parameterOf({ form, presence }: Member, name: string, types: Types): string {
  const type = types.of(form);
  if (presence === 'optional') return `?${name}: ${type === 'untyped' ? type : `(${type})?`}`;
  return `${presence === 'filled' ? '?' : ''}${name}: ${type}`;
}

const spelling: Spelling = {
  simple: {
    ...{ unknown: 'untyped', null: 'nil', boolean: 'bool' },
    ...{ integer: '::Integer', number: '(::Integer | ::Float)', string: '::String' },
  },
  literals: (values) => oneOf(values.map(literal)),
  array: (items) => `::Array[${items}]`,
  tuple(places, required, rest) {
    if (rest === undefined && required === places.length) return `[${places.join(', ')}]`;
    return `::Array[${oneOf([...places, ...(rest === undefined ? [] : [rest])])}]`;
  },
  map: (values) => `::Hash[::String, ${values}]`,
  object,
  union: oneOf,
  reference: aliasOf,
};

/** A record where all members are there: RBS 2.7 has no optional ones. */
function object({ members, further }: ObjectForm, types: readonly string[]): string {
  const isRecord = members.every(({ name, presence }) => presence !== 'optional' && isPlain(name));
  if (members.length === 0 || further !== undefined) return '::Hash[::String, untyped]';
  if (!isRecord) return `::Hash[::String, ${oneOf(types)}]`;
  return `{ ${members.map(({ name }, index) => `"${name}" => ${types[index] ?? 'untyped'}`).join(', ')} }`;
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
