import { headOfPackage, headOfTool, readmeOf, toolLines } from '../emitted-package.js';
import type { Emitter } from '../emitted-package.js';
import type { Form, Member, ObjectForm } from '../form.js';
import { asciiJson, commentLines, textLiteral } from '../literals.js';
import { kebab } from '../names.js';
import { contractLiteral, type PreparedTool } from '../prepared-tool.js';
import { sidesOf, tagNote, TypeNames } from '../type-names.js';
import { typescriptRuntime } from './runtime.js';

export const typescript: Emitter = {
  emit(prepared) {
    const { tool, names, version } = prepared;
    const path = `${kebab(names)}/${version}`;
    return {
      module: { tool: tool.name, version: tool.version, renamed: {}, module: `tool-registry/${path}` },
      files: [[`src/${path}.ts`, moduleOf(prepared)]],
    };
  },
  around: ([first], modules, version) => [
    ['README.md', readmeOf('TypeScript', example(first), modules)],
    ['package.json', manifest(version)],
    ['tsconfig.json', settings],
    ['src/runtime.ts', `// ${headOfPackage}\n\n${typescriptRuntime}`],
  ],
};

function moduleOf(prepared: PreparedTool): string {
  const names = new TypeNames(prepared.names);
  const { base, input, result, output } = names;
  const [inputSide, outputSide] = sidesOf(prepared, names);
  const { root } = prepared.input;
  const inputType = root.kind === 'map' || root.kind === 'object' ? inputOf(prepared) : root;
  const wireNames = new Map(prepared.parameters.members.map(({ name }) => [name, name]));
  return `// ${headOfTool(prepared)}

import { Contract, type Output, type Spec } from '../runtime.js';

const contract = new Contract<${input}, ${output}>(
  ${contractLiteral(prepared, wireNames, 'typescript')},
);

export const spec: Spec = contract.spec;
${definitionsOf(inputSide)}
/** The arguments, defaults filled in. */
export type ${input} = ${typeOf(inputType, inputSide?.definitions)};
${definitionsOf(outputSide)}
export type ${result} = ${typeOf(prepared.output.root, outputSide?.definitions)};

export type ${output} = Output<${result}>;

${comment(toolLines(prepared), '')}export abstract class ${base} {
  /**
   * Fills in defaults, checks the arguments, runs the implementation and checks what it gives back.
   *
   * @throws InvalidArguments, InvalidResult
   */
  async execute(given: unknown): Promise<${output}> {
    return contract.output(await this._execute(contract.input(given)));
  }

  protected abstract _execute(input: ${input}): ${output} | Promise<${output}>;
}
`;
}

/** Of what the implementation is given: the arguments that the spec names, and others where it allows them. */
function inputOf({ parameters, input }: PreparedTool): Form {
  const { members, further } = parameters;
  if (input.root.kind === 'map') return input.root;
  return { kind: 'object', members, ...(further !== undefined && { further }) };
}

function definitionsOf(side: ReturnType<typeof sidesOf>[number] | undefined): string {
  if (side === undefined) return '';
  return [...side.document.definitions]
    .map(([pointer, form]) => {
      const note = tagNote(form);
      const lines = note === '' ? '' : comment(commentLines(note), '');
      return `\n${lines}export type ${side.definitions.get(pointer) ?? ''} = ${typeOf(form, side.definitions)};\n`;
    })
    .join('');
}

/** A type. Objects are written over several lines from `indent`. */
function typeOf(form: Form, definitions: ReadonlyMap<string, string> = new Map(), indent = ''): string {
  const inner = (of: Form): string => typeOf(of, definitions, indent);
  switch (form.kind) {
    case 'unknown':
    case 'null':
    case 'boolean':
    case 'string':
    case 'number':
      return form.kind;
    case 'integer':
      return 'number';
    case 'literals':
      return oneOf(form.values.map(asciiJson));
    case 'array':
      return `Array<${inner(form.items)}>`;
    case 'tuple': {
      const places = form.places.map(
        (place, index) => `${grouped(inner(place))}${index < form.required ? '' : '?'}`,
      );
      return `[${[...places, ...(form.rest ? [`...Array<${inner(form.rest)}>`] : [])].join(', ')}]`;
    }
    case 'map':
      return `{ [name: string]: ${inner(form.values)} }`;
    case 'object':
      return objectOf(form, definitions, indent);
    case 'union':
      return oneOf(form.of.map(inner));
    case 'reference':
      return definitions.get(form.to) ?? 'unknown';
  }
}

const oneOf = (types: readonly string[]): string =>
  types.length === 1 ? (types[0] ?? '') : `(${types.join(' | ')})`;
const grouped = (type: string): string => (/^[\w(["{]/.test(type) ? type : `(${type})`);

function objectOf(
  { members, further }: ObjectForm,
  definitions: ReadonlyMap<string, string>,
  indent: string,
): string {
  if (members.length === 0 && further === undefined) return '{ [name: string]: never }';
  const deeper = `${indent}  `;
  const lines = members.map(({ name, form, presence, ...rest }) => {
    const shown = /^[A-Za-z]\w*$/.test(name) ? name : textLiteral(name, 'typescript');
    const type = typeOf(form, definitions, deeper);
    return `${comment(memberLines(rest), deeper)}${deeper}${shown}${presence === 'optional' ? '?' : ''}: ${type};\n`;
  });
  // The type of further members would have to take the listed ones, too.
  const others = further === undefined ? '' : `${deeper}[name: string]: unknown;\n`;
  return `{\n${lines.join('')}${others}${indent}}`;
}

function memberLines(member: Pick<Member, 'description' | 'default'>): readonly string[] {
  const note = member.default === undefined ? '' : `\nDefault: ${asciiJson(member.default).slice(0, 200)}`;
  return commentLines(member.description + note);
}

function comment(lines: readonly string[], indent: string): string {
  const said = lines.join('') === '' ? [] : lines;
  if (said.length === 0) return '';
  if (said.length === 1) return `${indent}/** ${said[0] ?? ''} */\n`;
  return `${indent}/**\n${said.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

const settings = `${JSON.stringify(
  {
    compilerOptions: {
      ...{ target: 'ES2022', lib: ['ES2022'], module: 'nodenext', strict: true },
      ...{ declaration: true, rootDir: 'src', outDir: 'dist', types: [] },
    },
    include: ['src'],
  },
  null,
  2,
)}\n`;

function manifest(version: string): string {
  const found = (extension: string): string => `./dist/*${extension}`;
  const content = {
    ...{ name: 'tool-registry', version, type: 'module', description: headOfPackage },
    engines: { node: '>=20' },
    exports: { './*': { types: found('.d.ts'), default: found('.js') } },
    files: ['dist'],
    scripts: { build: 'tsc', prepare: 'tsc' },
    devDependencies: { typescript: '>=5.4' },
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

function example(prepared: PreparedTool | undefined): string {
  if (prepared === undefined) return '';
  const { base, input, output } = new TypeNames(prepared.names);
  return `import { ${base}, type ${input}, type ${output} } from 'tool-registry/${kebab(prepared.names)}/${prepared.version}';

class Implementation extends ${base} {
  protected override _execute(input: ${input}): ${output} {
    return { result: …, instruction: '…' };
  }
}

const { result, metadata, instruction } = await new Implementation().execute(givenArguments);`;
}
