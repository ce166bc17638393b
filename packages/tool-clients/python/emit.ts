import { headOfPackage, headOfTool, moduleOf, parameterLines, toolLines, type Emitter } from '../emitter.js';
import { takesDefault, type FormDocument, type ObjectForm, type Scalar } from '../form.js';
import { textLiteral } from '../literals.js';
import { parameterNames, snake } from '../names.js';
import { contractLiteral, type PreparedTool } from '../prepared-tool.js';
import { TypeNames, Types, type Spelling } from '../types.js';
import { pythonRuntime } from './runtime.js';

const head = `# ${headOfPackage}\n`;

export const python: Emitter = {
  emit(prepared) {
    const { names, version } = prepared;
    const inCode = inCodeOf(prepared);
    const folder = `src/tool_registry/${snake(names)}`;
    return {
      module: moduleOf(prepared, `tool_registry.${snake(names)}.${version}`, inCode),
      files: [
        [`${folder}/__init__.py`, head],
        [`${folder}/${version}.py`, textOf(prepared, inCode)],
      ],
    };
  },
  around: (_tools, readme, version) => [
    ['README.md', readme],
    ['pyproject.toml', manifest(version)],
    ['src/tool_registry/__init__.py', `${head}"""Interfaces of tools, to be implemented."""\n`],
    ['src/tool_registry/py.typed', ''],
    ['src/tool_registry/_runtime.py', `${head}\n${pythonRuntime}`],
    ['src/tool_registry/errors.py', errors],
  ],
  example(prepared) {
    const { base, output } = new TypeNames(prepared.names);
    const parameters = ['self', ...inCodeOf(prepared).values()].join(', ');
    return `from tool_registry.${snake(prepared.names)}.${prepared.version} import ${base}, ${output}


class Implementation(${base}):
    def _execute(${parameters}) -> ${output}:
        return ${output}(result=..., instruction="...")


answer = Implementation().execute(given_arguments).to_wire()`;
  },
};

const errors = `${head}"""What execute raises."""

from ._runtime import Fault, InvalidArguments, InvalidResult

__all__ = ["Fault", "InvalidArguments", "InvalidResult"]
`;

/** Names of the parameters by those of the arguments. */
const inCodeOf = ({ parameters }: PreparedTool): ReadonlyMap<string, string> =>
  parameterNames(
    parameters.members.map(({ name }) => name),
    'python',
  );

function textOf(prepared: PreparedTool, inCode: ReadonlyMap<string, string>): string {
  const { parameters, warn } = prepared;
  const names = new TypeNames(prepared.names);
  const { base, input, result, output } = names;
  const given = new Declared(prepared.input, names, input);
  const answered = new Declared(prepared.output, names, result);
  const signature = parametersOf(prepared, inCode, given);
  const resultType = answered.of(prepared.output.root);
  const declarations = [...given.declarations(), ...answered.declarations()];
  if (given.hasTuple) warn('/inputSchema', 'not_typed', placesAlike);
  if (answered.hasTuple) warn('/outputSchema', 'not_typed', placesAlike);
  const passed = signature.length === 0 ? '' : '**parameters';
  return `# ${headOfTool(prepared)}
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

${declarations.map((declaration) => `${declaration}\n`).join('')}${result}: _t.TypeAlias = ${resultType}


@_dataclass(frozen=True)
class ${output}(_runtime.Output):
    result: ${result}
    metadata: _t.Mapping[str, _t.Any] | None = None
    instruction: str | None = None


class ${base}(_abc.ABC):
    def execute(self, arguments: object) -> ${output}:
        """Fills in defaults, checks the arguments, runs the implementation and checks what it gives back.

        Raises tool_registry.errors.InvalidArguments and InvalidResult."""
        ${passed === '' ? '' : 'parameters = '}_contract.parameters(arguments)
        return _contract.output(self._execute(${passed}))

    @_abc.abstractmethod
    def _execute(${['self', ...(passed === '' ? [] : ['*']), ...signature].join(', ')}) -> ${output}:
${docstring(parameterLines(parameters.members, inCode), '        ')}        raise NotImplementedError
`;
}

/** Keyword-only, so that an implementation may have them in any order. */
function parametersOf(
  { parameters: { members, further } }: PreparedTool,
  inCode: ReadonlyMap<string, string>,
  types: Types,
): readonly string[] {
  const listed = members.map(({ name, form, presence, ...member }) => {
    const type = types.of(form, name);
    const parameter = inCode.get(name) ?? name;
    if (presence === 'optional') return `${parameter}: _t.Union[${type}, None] = None`;
    const value = member.default;
    const shown = presence === 'filled' && value !== undefined && takesDefault(form, value);
    return `${parameter}: ${type}${shown ? ` = ${scalar(value)}` : ''}`;
  });
  if (further === undefined) return listed;
  return [...listed, `additional_properties: dict[str, ${types.of(further, 'additional')}]`];
}

const spelling: Omit<Spelling, 'tuple' | 'object'> = {
  simple: {
    ...{ unknown: '_t.Any', null: 'None', boolean: 'bool' },
    ...{ integer: 'int', number: 'float', string: 'str' },
  },
  literals,
  array: (items) => `list[${items}]`,
  map: (values) => `dict[str, ${values}]`,
  union,
  reference: (name) => `"${name}"`,
};

function union(types: readonly string[]): string {
  return types.length === 1 ? (types[0] ?? '') : `_t.Union[${types.join(', ')}]`;
}

const placesAlike = 'Python types all places of a list alike.';

/** Types of one side of a tool. Objects are declared apart, since Python has no type for one in place. */
class Declared extends Types {
  hasTuple = false;
  private readonly dictionaries: string[];

  constructor(document: FormDocument, names: TypeNames, within: string) {
    const dictionaries: string[] = [];
    const tuple = (places: readonly string[], _required: number, rest: string | undefined): string => {
      this.hasTuple = true;
      return `list[${union([...new Set([...places, ...(rest === undefined ? [] : [rest])])])}]`;
    };
    const object = (form: ObjectForm, members: readonly string[], hint: string): string => {
      const name = names.inner(within, hint === '' ? 'value' : hint);
      dictionaries.push(typedDict(name, form, members));
      return `"${name}"`;
    };
    super(document, { ...spelling, tuple, object }, names, within);
    this.dictionaries = dictionaries;
  }

  /** All types that were asked for, and all definitions. */
  declarations(): readonly string[] {
    for (const [name, form] of this.definitions())
      this.dictionaries.push(
        form.kind === 'object'
          ? typedDict(name, form, this.ofMembers(form.members))
          : `${name}: _t.TypeAlias = ${this.of(form, name)}`,
      );
    return this.dictionaries;
  }
}

function typedDict(name: string, { members }: ObjectForm, types: readonly string[]): string {
  const entries = members.map(({ name: member, presence }, index) => {
    const type = types[index] ?? '_t.Any';
    const there = presence === 'optional' ? `_t.NotRequired[${type}]` : type;
    return `    ${textLiteral(member, 'python')}: ${there},\n`;
  });
  return `${name} = _t.TypedDict("${name}", ${entries.length === 0 ? '{}' : `{\n${entries.join('')}}`})`;
}

/** Python has no literal types of numbers with a fraction. */
function literals(values: readonly Scalar[]): string {
  if (!values.some((value) => typeof value === 'number' && !Number.isSafeInteger(value)))
    return `_t.Literal[${values.map(scalar).join(', ')}]`;
  const typeNames = { string: 'str', number: 'float', boolean: 'bool', object: 'None' };
  return `_t.Union[${[...new Set(values.map((value) => typeNames[typeof value as 'string']))].join(', ')}]`;
}

function scalar(value: Scalar): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' ? textLiteral(value, 'python') : JSON.stringify(value);
}

/** Lines of comments hold no backslash, no three quotes, and end in no quote. */
function docstring([first, ...others]: readonly string[], indent: string): string {
  if (first === undefined) return '';
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
