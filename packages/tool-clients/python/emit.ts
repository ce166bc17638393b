import { headOfPackage, headOfTool, readmeOf, toolLines } from '../emitted-package.js';
import type { Emitter } from '../emitted-package.js';
import { takesDefault, type Form, type Member, type ObjectForm, type Scalar } from '../form.js';
import { commentLines, textLiteral } from '../literals.js';
import { parameterNames, snake } from '../names.js';
import { contractLiteral, type PreparedTool } from '../prepared-tool.js';
import type { GeneratedModule, Warn } from '../tool-interface.js';
import { sidesOf, tagNote, TypeNames } from '../type-names.js';
import { pythonRuntime } from './runtime.js';

const head = `# ${headOfPackage}\n`;

export const python: Emitter = {
  emit(prepared) {
    const { module, text } = moduleOf(prepared);
    const folder = `src/tool_registry/${snake(prepared.names)}`;
    return {
      module,
      files: [
        [`${folder}/__init__.py`, head],
        [`${folder}/${prepared.version}.py`, text],
      ],
    };
  },
  around: ([first], modules, version) => [
    ['README.md', readmeOf('Python', example(first), modules)],
    ['pyproject.toml', manifest(version)],
    ['src/tool_registry/__init__.py', `${head}"""Interfaces of tools, to be implemented."""\n`],
    ['src/tool_registry/py.typed', ''],
    ['src/tool_registry/_runtime.py', `${head}\n${pythonRuntime}`],
    ['src/tool_registry/errors.py', errors],
  ],
};

const errors = `${head}"""What execute raises."""\n\nfrom ._runtime import Fault, InvalidArguments, InvalidResult\n\n__all__ = ["Fault", "InvalidArguments", "InvalidResult"]\n`;

function moduleOf(prepared: PreparedTool): { module: GeneratedModule; text: string } {
  const { tool, parameters, warn } = prepared;
  const names = new TypeNames(prepared.names);
  const { base, result, output } = names;
  const wireNames = parameters.members.map(({ name }) => name);
  const inCode = parameterNames(wireNames, 'python');
  const renamed = [...inCode].filter(([wire, name]) => wire !== name);
  const [inputSide, outputSide] = sidesOf(prepared, names).map(
    (side, index) => new Types(names, index === 0 ? 'input' : 'result', side, warn),
  );
  const signature = inputSide === undefined ? [] : parametersOf(prepared, inCode, inputSide);
  const arguments_ = signature.length === 0 ? '' : `*, ${signature.join(', ')}`;
  const resultType = outputSide?.type(prepared.output.root, '') ?? '_t.Any';
  const types = [inputSide, outputSide].flatMap((side) => side?.declared() ?? []);
  const text = `# ${headOfTool(prepared)}
${docstring(toolLines(prepared), '')}
from __future__ import annotations

import abc as _abc
import typing as _t
from dataclasses import dataclass as _dataclass

from .. import _runtime

__all__ = ["${base}", "${output}", "${result}", "spec"]

_contract = _runtime.Contract(
    ${contractLiteral(prepared, inCode, 'python')}
)

spec: _runtime.Spec = _contract.spec

${types.map((declaration) => `${declaration}\n`).join('')}${result}: _t.TypeAlias = ${resultType}


@_dataclass(frozen=True)
class ${output}(_runtime.Output):
    result: ${result}
    metadata: _t.Mapping[str, _t.Any] | None = None
    instruction: str | None = None


class ${base}(_abc.ABC):
    def execute(self, arguments: object) -> ${output}:
        """Fills in defaults, checks the arguments, runs the implementation and checks what it gives back.

        Raises tool_registry.errors.InvalidArguments and InvalidResult."""
        parameters = _contract.parameters(arguments)
        return _contract.output(self._execute(${signature.length === 0 ? '' : '**parameters'}))

    @_abc.abstractmethod
    def _execute(self${arguments_ === '' ? '' : `, ${arguments_}`}) -> ${output}:
${docstring(parameterLines(parameters.members, inCode), '        ')}        raise NotImplementedError
`;
  const unused = signature.length === 0 ? text.replace('parameters = _contract', '_contract') : text;
  const module = `tool_registry.${snake(prepared.names)}.${prepared.version}`;
  return {
    text: unused,
    module: { tool: tool.name, version: tool.version, module, renamed: Object.fromEntries(renamed) },
  };
}

/** Keyword-only, so that an implementation may have them in any order. */
function parametersOf(
  { parameters }: PreparedTool,
  inCode: ReadonlyMap<string, string>,
  types: Types,
): readonly string[] {
  const { members, further } = parameters;
  const listed = members.map((member) => {
    const { name, form, presence } = member;
    const type = types.type(form, name);
    const parameter = inCode.get(name) ?? name;
    if (presence === 'optional') return `${parameter}: _t.Union[${type}, None] = None`;
    const value = member.default;
    const shown = presence === 'filled' && value !== undefined && takesDefault(form, value);
    return `${parameter}: ${type}${shown ? ` = ${scalar(value)}` : ''}`;
  });
  if (further === undefined) return listed;
  return [...listed, `additional_properties: dict[str, ${types.type(further, 'additional')}]`];
}

/** Types of one side of a tool. Objects are declared apart, since Python has no type for one in place. */
class Types {
  private readonly declarations: string[] = [];

  constructor(
    private readonly names: TypeNames,
    private readonly of: 'input' | 'result',
    private readonly side: ReturnType<typeof sidesOf>[number],
    private readonly warn: Warn,
  ) {}

  /** The declarations of all types that were asked for, and of all definitions. */
  declared(): readonly string[] {
    for (const [pointer, form] of this.side.document.definitions) {
      const name = this.side.definitions.get(pointer) ?? '';
      if (form.kind === 'object') this.declare(form, name);
      else
        this.declarations.push(
          `${docComment(tagNote(form))}${name}: _t.TypeAlias = ${this.type(form, name)}`,
        );
    }
    return this.declarations;
  }

  type(form: Form, hint: string): string {
    switch (form.kind) {
      case 'unknown':
        return '_t.Any';
      case 'null':
        return 'None';
      case 'boolean':
        return 'bool';
      case 'integer':
        return 'int';
      case 'number':
        return 'float';
      case 'string':
        return 'str';
      case 'literals':
        return literals(form.values);
      case 'array':
        return `list[${this.type(form.items, hint)}]`;
      case 'tuple': {
        // JSON's arrays are lists, of which no place has a type of its own.
        this.warn(
          this.of === 'input' ? '/inputSchema' : '/outputSchema',
          'not_typed',
          'Python types all places of a list alike.',
        );
        const places = [...form.places, ...(form.rest ? [form.rest] : [])];
        return `list[${this.union(places, hint)}]`;
      }
      case 'map':
        return `dict[str, ${this.type(form.values, hint)}]`;
      case 'object':
        return this.declare(form, this.names.inner(this.names[this.of], hint === '' ? 'value' : hint));
      case 'union':
        return this.union(form.of, hint);
      case 'reference':
        return `"${this.side.definitions.get(form.to) ?? 'object'}"`;
    }
  }

  private union(forms: readonly Form[], hint: string): string {
    const types = [...new Set(forms.map((form) => this.type(form, hint)))];
    return types.length === 1 ? (types[0] ?? '') : `_t.Union[${types.join(', ')}]`;
  }

  private declare({ members }: ObjectForm, name: string): string {
    const entries = members.map(({ name: member, form, presence }) => {
      const type = this.type(form, member);
      const there = presence === 'optional' ? `_t.NotRequired[${type}]` : type;
      return `    ${textLiteral(member, 'python')}: ${there},\n`;
    });
    const body = entries.length === 0 ? '{}' : `{\n${entries.join('')}}`;
    this.declarations.push(`${name} = _t.TypedDict("${name}", ${body})`);
    return `"${name}"`;
  }
}

const docComment = (note: string): string => (note === '' ? '' : `# ${commentLines(note).join(' ')}\n`);

/** Python has no literal types of numbers with a fraction. */
function literals(values: readonly Scalar[]): string {
  if (values.some((value) => typeof value === 'number' && !Number.isSafeInteger(value)))
    return `_t.Union[${[...new Set(values.map(nameOfType))].join(', ')}]`;
  return `_t.Literal[${values.map(scalar).join(', ')}]`;
}

function nameOfType(value: Scalar): string {
  if (value === null) return 'None';
  return { string: 'str', number: 'float', boolean: 'bool' }[typeof value as 'string'];
}

function scalar(value: Scalar): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' ? textLiteral(value, 'python') : JSON.stringify(value);
}

function parameterLines(members: readonly Member[], inCode: ReadonlyMap<string, string>): readonly string[] {
  return members.flatMap(({ name, description }) => {
    const [first = '', ...others] = commentLines(description);
    return first === ''
      ? []
      : [`${inCode.get(name) ?? name}: ${first}`, ...others.map((line) => `    ${line}`)];
  });
}

/** Lines of comments hold no backslash, no three quotes, and end in no quote. */
function docstring(lines: readonly string[], indent: string): string {
  if (lines.length === 0) return '';
  const [first = '', ...others] = lines;
  const rest = others.map((line) => `\n${line === '' ? '' : indent + line}`).join('');
  return `${indent}"""${/^"/.test(first) ? ' ' : ''}${first}${rest}"""\n`;
}

function manifest(version: string): string {
  return `# ${headOfPackage}
[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"

[project]
name = "tool-registry"
version = "${version}"
description = "Interfaces of tools, to be implemented."
readme = "README.md"
requires-python = ">=3.11"

[tool.setuptools.packages.find]
where = ["src"]

[tool.setuptools.package-data]
tool_registry = ["py.typed"]
`;
}

function example(prepared: PreparedTool | undefined): string {
  if (prepared === undefined) return '';
  const { base, output } = new TypeNames(prepared.names);
  const { members, further } = prepared.parameters;
  const inCode = parameterNames(
    members.map(({ name }) => name),
    'python',
  );
  const needed = members.filter(({ presence }) => presence === 'required');
  const others = members.filter(({ presence }) => presence !== 'required');
  const parameters = [
    'self',
    ...needed.map(({ name }) => inCode.get(name) ?? name),
    ...(further === undefined ? [] : ['additional_properties']),
    ...others.map(({ name }) => `${inCode.get(name) ?? name}=None`),
  ];
  return `from tool_registry.${snake(prepared.names)}.${prepared.version} import ${base}, ${output}


class Implementation(${base}):
    def _execute(${parameters.join(', ')}) -> ${output}:
        return ${output}(result=..., instruction="...")


answer = Implementation().execute(given_arguments).to_wire()`;
}
