import { headOfPackage, headOfTool, moduleOf, type Emitter } from '../emitter.js';
import { takesDefault, type Member, type Scalar } from '../form.js';
import { textLiteral } from '../literals.js';
import { parameterNames, pascal, snake } from '../names.js';
import { contractLiteral, type PreparedTool } from '../prepared-tool.js';
import { rubyRuntime } from './runtime.js';
import { rubyRuntimeSignatures, signaturesOf } from './signatures.js';

export const ruby: Emitter = {
  emit(prepared) {
    const inCode = inCodeOf(prepared);
    const path = `tool_registry/${snake(prepared.names)}/${prepared.version}`;
    return {
      module: moduleOf(prepared, constantOf(prepared), inCode),
      files: [
        [`lib/${path}.rb`, textOf(prepared, inCode)],
        [`sig/${path}.rbs`, signaturesOf(prepared, inCode)],
      ],
    };
  },
  around: (tools, readme, version) => [
    ['README.md', readme],
    ['tool_registry.gemspec', manifest(version)],
    ['lib/tool_registry.rb', doorOf(tools)],
    ['lib/tool_registry/runtime.rb', `# ${headOfPackage}\n\n${rubyRuntime}`],
    ['sig/tool_registry/runtime.rbs', `# ${headOfPackage}\n\n${rubyRuntimeSignatures}`],
  ],
  example: (prepared) => `require "tool_registry"

class Implementation < ${constantOf(prepared)}::Base
  def call(${parametersOf(prepared, inCodeOf(prepared)).join(', ').replaceAll('`', '')})
    ${constantOf(prepared)}::Output.new(result: …, instruction: "…")
  end
end

answer = Implementation.new.execute(given_arguments).to_wire`,
};

/** `ToolRegistry::ReadFile::V0_0_2` */
const constantOf = ({ names, version }: PreparedTool): string =>
  `ToolRegistry::${pascal(names)}::${version.toUpperCase()}`;

/** Names of the parameters by those of the arguments. */
const inCodeOf = ({ parameters }: PreparedTool): ReadonlyMap<string, string> =>
  parameterNames(
    parameters.members.map(({ name }) => name),
    'ruby',
  );

/** Texts of specs stand in the contract alone: Ruby reads some comments as directions. */
function textOf(prepared: PreparedTool, inCode: ReadonlyMap<string, string>): string {
  const parameters = parametersOf(prepared, inCode);
  const given = parameters.length === 0 ? '' : '**parameters';
  return `# ${headOfTool(prepared)}

require "tool_registry/runtime"

module ToolRegistry
  module ${pascal(prepared.names)}
    module ${prepared.version.toUpperCase()}
      CONTRACT = ::ToolRegistry::Runtime::Contract.new(
        ${contractLiteral(prepared, inCode, 'ruby')}
      )
      private_constant :CONTRACT

      def self.spec
        CONTRACT.spec
      end

      Output = ::Struct.new(:result, :metadata, :instruction, keyword_init: true) do
        include ::ToolRegistry::Runtime::Wire
      end

      class Base
        # Fills in defaults, checks the arguments, runs the implementation and checks what it gives back.
        #
        # Raises ToolRegistry::Runtime::InvalidArguments and InvalidResult.
        def execute(arguments)
          ${given === '' ? '' : 'parameters = '}CONTRACT.parameters(arguments)
          CONTRACT.output(call${given === '' ? '' : `(${given})`})
        end

        def call${parameters.length === 0 ? '' : `(${parameters.join(', ')})`}
          ::Kernel.raise ::NotImplementedError, "implement call in #{self.class}"
        end
      end
    end
  end
end
`;
}

function parametersOf({ parameters }: PreparedTool, inCode: ReadonlyMap<string, string>): readonly string[] {
  const listed = parameters.members.map((member) =>
    `${inCode.get(member.name) ?? member.name}: ${defaultOf(member)}`.trimEnd(),
  );
  return parameters.further === undefined ? listed : [...listed, 'additional_properties:'];
}

/** Empty where the argument is always given. */
function defaultOf({ form, presence, default: value }: Member): string {
  if (presence === 'optional') return 'nil';
  return presence === 'filled' && value !== undefined && takesDefault(form, value) ? scalar(value) : '';
}

function scalar(value: Scalar): string {
  if (value === null) return 'nil';
  if (typeof value !== 'string') return JSON.stringify(value).replace(/^(-?\d+)e/, '$1.0e');
  // Interpolation can't begin.
  return textLiteral(value, 'ruby').replaceAll('#', '\\#');
}

/** Loads each module when it is first named. */
function doorOf(tools: readonly PreparedTool[]): string {
  const byTool = new Map<string, PreparedTool[]>();
  for (const prepared of tools) {
    const name = pascal(prepared.names);
    const versions = byTool.get(name);
    if (versions === undefined) byTool.set(name, [prepared]);
    else versions.push(prepared);
  }
  const modules = [...byTool].map(([name, versions]) => {
    const lines = versions.map(
      ({ names, version }) =>
        `    autoload :${version.toUpperCase()}, "tool_registry/${snake(names)}/${version}"\n`,
    );
    return `\n  module ${name}\n${lines.join('')}  end\n`;
  });
  return `# ${headOfPackage}

require "tool_registry/runtime"

module ToolRegistry${modules.join('')}
end
`;
}

function manifest(version: string): string {
  return `# ${headOfPackage}
Gem::Specification.new do |gem|
  gem.name = "tool_registry"
  gem.version = "${version}"
  gem.summary = "Interfaces of tools, to be implemented."
  gem.authors = ["The tool registry"]
  gem.files = Dir["lib/**/*.rb", "sig/**/*.rbs", "README.md"]
  gem.required_ruby_version = ">= 3.1"
end
`;
}
