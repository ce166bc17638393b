import {
  List,
  ListItem,
  ToggleGroup,
  ToggleGroupItem,
  TreeView,
  type TreeViewDataItem,
} from '@patternfly/react-core';
import { useMemo, useState, type ReactNode } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { isObject } from './arguments.ts';
import { Code } from './code.tsx';

type Schema = Readonly<Record<string, unknown>>;
/** What stands below a part of a schema, by its place in it (RFC 6901); undefined for nothing. */
type Beside = (pointer: string) => ReactNode;

/** So much stands open at first below the first level. */
const MAX_OPEN = 200;

/** A JSON Schema, to be read: as a tree of its properties, or as it is. */
export function SchemaView({ title, schema }: { readonly title: string; readonly schema: Schema }) {
  const { schemas } = useTexts();
  const [isTree, setTree] = useState(true);
  return (
    <div className="portal-stack">
      <ToggleGroup isCompact aria-label={title}>
        <ToggleGroupItem text={schemas.tree} isSelected={isTree} onChange={() => setTree(true)} />
        <ToggleGroupItem text={schemas.json} isSelected={!isTree} onChange={() => setTree(false)} />
      </ToggleGroup>
      {isTree ? <SchemaTree {...{ title, schema }} /> : <Code text={JSON.stringify(schema, undefined, 2)} />}
    </div>
  );
}

interface Tree {
  readonly title: string;
  readonly schema: Schema;
  readonly beside?: Beside;
}

/**
 * A JSON Schema as a tree of its properties: each by its name, then what it may be, then what is said of it. A branch is made when it
 * is opened: a schema that refers to itself has no end.
 */
export function SchemaTree({ title, schema, beside = nothing }: Tree) {
  const { schemas: words } = useTexts();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const partsOf = useMemo(() => partsIn(schema), [schema]);
  const tree = useMemo(() => {
    const top = properties(schema, schema);
    const open = new Set([...openAtFirst(top, partsOf), ...opened]);
    return top.map((part) => item(part, { words, partsOf, open, path: '', beside }));
  }, [schema, partsOf, opened, words, beside]);
  if (tree.length === 0) return <p className="portal-subtle">{words.none}</p>;
  if (tree.every(({ children }) => children === undefined))
    return (
      <List isPlain isBordered aria-label={title}>
        {tree.map(({ id, name }) => (
          <ListItem key={id}>{name}</ListItem>
        ))}
      </List>
    );
  return (
    <TreeView
      aria-label={title}
      data={tree}
      hasGuides
      variant="compactNoBackground"
      onExpand={(_, { id }) => setOpened((before) => new Set([...before, id ?? '']))}
    />
  );
}

function nothing(): undefined {
  return undefined;
}

interface Part {
  /** Of a property; of one of several forms its number. */
  readonly name: string | number;
  readonly isRequired: boolean;
  readonly schema: Schema;
  /** From what it lies in. */
  readonly path: string;
}
type PartsOf = (schema: Schema) => readonly Part[];

interface Place {
  readonly words: ReturnType<typeof useTexts>['schemas'];
  readonly partsOf: PartsOf;
  readonly open: ReadonlySet<string>;
  readonly path: string;
  readonly beside: Beside;
}

function openAtFirst(top: readonly Part[], partsOf: PartsOf): readonly string[] {
  let left = MAX_OPEN;
  return top.filter(({ schema }) => (left -= partsOf(schema).length) >= 0).map(({ path }) => path);
}

function item({ name, isRequired, schema, path: own }: Part, place: Place): TreeViewDataItem {
  const { words, partsOf, open, beside } = place;
  const path = place.path + own;
  const isOpen = open.has(path);
  const parts = partsOf(schema);
  const { description } = schema;
  return {
    id: path,
    defaultExpanded: isOpen,
    name: (
      <>
        <code>
          <strong>{typeof name === 'number' ? words.form(String(name)) : name}</strong>
        </code>{' '}
        <span className="portal-subtle">
          {[typeOf(schema, words), ...(isRequired ? [words.required] : []), ...limits(schema, words)].join(
            ' · ',
          )}
        </span>
        {typeof description === 'string' && <div className="portal-wrap">{description}</div>}
        {beside(path)}
      </>
    ),
    ...(parts.length > 0 && {
      children: isOpen ? parts.map((part) => item(part, { ...place, path })) : [],
    }),
  };
}

/** What lies in each object of a document, in the items of each list, or in one of several forms: found out once for each. */
function partsIn(root: Schema): PartsOf {
  const known = new Map<Schema, readonly Part[]>();
  return (schema) => {
    const parts =
      known.get(schema) ??
      levelsOf(schema, root).flatMap((level, lists) =>
        [...properties(level, root), ...forms(level, root)].map((part) => ({
          ...part,
          path: '/items'.repeat(lists) + part.path,
        })),
      );
    known.set(schema, parts);
    return parts;
  };
}

/** A schema, that of its items, that of theirs, and so on, until one comes again. */
function levelsOf(schema: Schema, root: Schema): readonly Schema[] {
  const levels = [schema];
  let next = schema['items'];
  while (isObject(next)) {
    const level = followed(next, root);
    if (levels.includes(level)) break;
    levels.push(level);
    next = level['items'];
  }
  return levels;
}

function properties({ properties: own, required }: Schema, root: Schema): readonly Part[] {
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(isObject(own) ? own : {}).map(([name, value]) => ({
    ...{ name, isRequired: needed.has(name), schema: followed(isObject(value) ? value : {}, root) },
    path: `/properties/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
  }));
}

function forms(schema: Schema, root: Schema): readonly Part[] {
  const all = ['oneOf', 'anyOf', 'allOf'].flatMap((keyword) => {
    const list: unknown = schema[keyword];
    return Array.isArray(list)
      ? (list as unknown[]).map((form, at) => ({ form, path: `/${keyword}/${String(at)}` }))
      : [];
  });
  return all.flatMap(({ form, path }, index) =>
    isObject(form) ? [{ name: index + 1, isRequired: false, schema: followed(form, root), path }] : [],
  );
}

/** What a reference within the document leads to; one that leads nowhere is left as it is. */
function followed(schema: Schema, root: Schema): Schema {
  const reference = schema['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return schema;
  const steps = reference
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const found = steps.reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), root);
  return isObject(found) ? found : schema;
}

function typeOf(schema: Schema, words: Place['words']): string {
  const { type, items } = schema;
  const types: Readonly<Record<string, string>> = words.types;
  if (type === 'array' && isObject(items)) return words.listOf(typeOf(items, words));
  if (Array.isArray(type)) return type.map((each: string) => types[each] ?? each).join(words.or);
  if (typeof type === 'string') return types[type] ?? type;
  if (typeof schema['$ref'] === 'string') return schema['$ref'];
  return Array.isArray(schema['enum']) || 'const' in schema ? words.value : words.any;
}

/** Limits and presets in words, also those that are 0, false or empty. */
function limits(schema: Schema, words: Place['words']): readonly string[] {
  const said = Object.entries(words.limits).flatMap(([name, inWords]) =>
    name in schema ? [inWords(plain(schema[name]))] : [],
  );
  return 'default' in schema ? [...said, words.preset(plain(schema['default']))] : said;
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
