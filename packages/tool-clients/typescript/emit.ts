import { headOfPackage, headOfTool, memberLines, moduleOf, toolLines, type Emitter } from '../emitter.js';
import type { Form, ObjectForm } from '../form.js';
import { asciiJson, textLiteral } from '../literals.js';
import { kebab } from '../names.js';
import { contractLiteral, type PreparedTool } from '../prepared-tool.js';
import { TypeNames, Types, type Spelling } from '../types.js';
import { typescriptRuntime } from './runtime.js';

export const typescript: Emitter = {
  emit(prepared) {
    const path = `${kebab(prepared.names)}/${prepared.version}`;
    return {
      module: moduleOf(prepared, `tool-registry/${path}`),
      files: [[`src/${path}.ts`, textOf(prepared)]],
    };
  },
  around: (_tools, readme, version) => [
    ['README.md', readme],
    ['package.json', manifest(version)],
    ['tsconfig.json', settings],
    ['src/runtime.ts', `// ${headOfPackage}\n\n${typescriptRuntime}`],
  ],
  example(prepared) {
    const { base, input, output } = new TypeNames(prepared.names);
    return `import { ${base}, type ${input}, type ${output} } from 'tool-registry/${kebab(prepared.names)}/${prepared.version}';

class Implementation extends ${base} {
  protected override _execute(input: ${input}): ${output} {
    return { result: …, instruction: '…' };
  }
}

const { result, metadata, instruction } = await new Implementation().execute(givenArguments);`;
  },
};

function textOf(prepared: PreparedTool): string {
  const names = new TypeNames(prepared.names);
  const { base, input, result, output } = names;
  const given = new Types(prepared.input, spelling, names, input);
  const answered = new Types(prepared.output, spelling, names, result);
  const { root } = prepared.input;
  const inputType = root.kind === 'object' ? inputOf(prepared) : root;
  const wireNames = new Map(prepared.parameters.members.map(({ name }) => [name, name]));
  return `// ${headOfTool(prepared)}

import { Contract, type Output, type Spec } from '../runtime.js';

const contract = new Contract<${input}, ${output}>(
  ${contractLiteral(prepared, wireNames, 'typescript')},
);

export const spec: Spec = contract.spec;
${definitionsOf(given)}
/** The arguments, defaults filled in. */
export type ${input} = ${given.of(inputType)};
${definitionsOf(answered)}
export type ${result} = ${answered.of(prepared.output.root)};

export type ${output} = Output<${result}>;

${comment(toolLines(prepared))}export abstract class ${base} {
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
function inputOf({ parameters: { members, further } }: PreparedTool): Form {
  return { kind: 'object', members, ...(further !== undefined && { further }) };
}

const definitionsOf = (types: Types): string =>
  types
    .definitions()
    .map(([name, form]) => `\nexport type ${name} = ${types.of(form)};\n`)
    .join('');

const oneOf = (types: readonly string[]): string =>
  types.length === 1 ? (types[0] ?? '') : `(${types.join(' | ')})`;
const grouped = (type: string): string => (/^[\w(["{]/.test(type) ? type : `(${type})`);

const spelling: Spelling = {
  simple: {
    ...{ unknown: 'unknown', null: 'null', boolean: 'boolean' },
    ...{ integer: 'number', number: 'number', string: 'string' },
  },
  literals: (values) => oneOf(values.map(asciiJson)),
  array: (items) => `Array<${items}>`,
  tuple(places, required, rest) {
    const listed = places.map((place, index) => `${grouped(place)}${index < required ? '' : '?'}`);
    // Not `...Array<T>`, which the compiler looks into at once: a tuple that contains itself would be a circle.
    return `[${[...listed, ...(rest === undefined ? [] : [`...${grouped(rest)}[]`])].join(', ')}]`;
  },
  map: (values) => `{ [name: string]: ${values} }`,
  object,
  union: oneOf,
  reference: (name) => name,
};

function object({ members, further }: ObjectForm, types: readonly string[]): string {
  if (members.length === 0 && further === undefined) return '{ [name: string]: never }';
  const listed = members.map((member, index) => {
    const { name, presence } = member;
    const shown = /^[A-Za-z]\w*$/.test(name) ? name : textLiteral(name, 'typescript');
    const optional = presence === 'optional' ? '?' : '';
    return `${comment(memberLines(member))}${shown}${optional}: ${types[index] ?? 'unknown'};\n`;
  });
  // The type of further members would have to take the listed ones, too.
  const others = further === undefined ? '' : '[name: string]: unknown;\n';
  return `{\n${(listed.join('') + others).replace(/^(?=.)/gm, '  ')}}`;
}

function comment(lines: readonly string[]): string {
  if (lines.join('') === '') return '';
  if (lines.length === 1) return `/** ${lines[0] ?? ''} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
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
