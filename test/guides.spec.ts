import { parseYaml } from '../src/documents/yaml.js';
import { lintFolder, readRegistry } from '../src/registry/shared.js';
import { lintRules } from '../src/registry/specs/tool-lint.js';
import { guidePages, type GuideBlock } from './guide-pages.js';

/** A spec of the chapter on best practices, or what it changes of the base. */
interface Example {
  readonly title: string;
  /** Rule that it breaks; undefined where it reads well. */
  readonly rule: string | undefined;
  readonly spec: { readonly name: string; readonly version: string };
}

const blocks = guidePages.flatMap((page) => page.blocks);
const isRegistryFile = ({ path = '' }: GuideBlock): boolean => /^(?:tools|eval)\//.test(path);
const registryFiles = blocks.filter(isRegistryFile).map(({ path = '', text }) => ({ path, text }));
const base = blocks.find(({ text }) => text.startsWith('# base\n'))?.text ?? '';
const isExample = ({ text }: GuideBlock): boolean => /^# (?:base|bad: \w+)\n/.test(text);

const examples = blocks.filter(isExample).flatMap(({ place, text }) =>
  text.split('---\n').map((part, index): Example => {
    const [, kind, rule] = /^# (base|better|bad: (\w+))\n/.exec(part) ?? [];
    if (kind === undefined) throw new Error(`${place}: an example begins with # bad: <rule> or # better.`);
    const spec = { ...(parseYaml(base) as unknown as Example['spec']), ...(parseYaml(part) as object) };
    // A member that is taken away can't be shown otherwise.
    const kept = Object.entries(spec).filter(([, value]) => (value as unknown) !== null);
    return { title: `${place} ${String(index + 1)}: ${kind}`, rule, spec: Object.fromEntries(kept) as never };
  }),
);

/** Files of which the walk makes use: it writes them, or runs them. */
const programs = { python: 'py', ruby: 'rb', typescript: 'mts' } as const;
function isKnown(block: GuideBlock, before: GuideBlock | undefined): boolean {
  const { language, path = '' } = block;
  if (language === 'yaml') return isRegistryFile(block) || isExample(block);
  if (language === 'sh') return true;
  if (language === 'text') return before?.language === 'sh';
  return (
    Object.hasOwn(programs, language) && path.endsWith(`.${programs[language as keyof typeof programs]}`)
  );
}

describe('the guides', () => {
  it('are six short chapters', () => {
    expect(guidePages.map(({ name }) => name)).toEqual([
      '01-introduction.md',
      '02-tool-basics.md',
      '03-defining-your-tool.md',
      '04-implementation-guide.md',
      '05-best-practices.md',
      '06-testing-and-debugging.md',
    ]);
    expect(guidePages.filter(({ lines }) => lines < 60 || lines > 180)).toEqual([]);
  });

  it('have no block that no test runs', () => {
    const unknown = guidePages.flatMap((page) =>
      page.blocks.filter((block, index) => !isKnown(block, page.blocks[index - 1])),
    );
    expect(unknown.map(({ place }) => place)).toEqual([]);
    const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
    const unused = blocks
      .filter(({ language }) => Object.hasOwn(programs, language))
      .filter(({ path = '' }) => !commands.some((text) => text.includes(path)));
    expect(unused.map(({ place }) => place)).toEqual([]);
  });

  it('have a registry in which nothing is wrong or weak', () => {
    const registry = readRegistry(registryFiles);
    expect(registry.specs.length).toBeGreaterThan(2);
    expect([registry.faults, registry.warnings, lintFolder(registry)]).toEqual([[], [], []]);
  });

  it.each(examples.map((example) => [example.title, example] as const))('%s', (_, { rule, spec }) => {
    const path = `tools/specs/${spec.name}/v${spec.version.replaceAll('.', '_')}.yaml`;
    const registry = readRegistry([...registryFiles, { path, text: JSON.stringify(spec) }]);
    const found = lintFolder(registry).filter(({ file }) => file === path);
    expect(registry.faults).toEqual([]);
    expect([...new Set(found.map((finding) => finding.rule))]).toEqual(rule === undefined ? [] : [rule]);
  });

  it('show each rule of the lint', () => {
    const shown = new Set(examples.map(({ rule }) => rule));
    // Too long for a page: they are made here.
    expect(lintRules.filter((rule) => !shown.has(rule))).toEqual([
      'description_too_long',
      'definition_large',
    ]);
    const spec = parseYaml(base) as unknown as Example['spec'] & { readonly description: string };
    const text = JSON.stringify({ ...spec, description: `${spec.description} `.repeat(12) });
    const values = Array.from({ length: 1_000 }, (_, at) => `with the label ${String(at)}`);
    const parameters = [
      { name: 'state', description: 'State that they have.', type: 'string', enum: values, required: true },
    ];
    const large = JSON.stringify({ ...spec, inputSchema: { parameters } });
    const path = `tools/specs/${spec.name}/v1_0_0.yaml`;
    const foundIn = (each: string) =>
      lintFolder(readRegistry([{ path, text: each }])).map(({ rule }) => rule);
    expect(foundIn(text)).toEqual(['description_too_long']);
    expect(foundIn(large)).toEqual(['definition_large']);
  });
});
