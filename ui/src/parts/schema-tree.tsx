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

const MAX_DEPTH = 12;

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

/** A JSON Schema as a tree of its properties: each by its name, then what it may be, then what is said of it. */
export function SchemaTree({ title, schema, beside = nothing }: Tree) {
  const { schemas: words } = useTexts();
  const tree = useMemo(
    () => properties(schema, { words, root: schema, depth: 0, path: '', beside }),
    [schema, words, beside],
  );
  if (tree.length === 0) return <p className="portal-subtle">{words.none}</p>;
  if (tree.every(({ children }) => children === undefined))
    return (
      <List isPlain isBordered aria-label={title}>
        {tree.map(({ id, name }) => (
          <ListItem key={id}>{name}</ListItem>
        ))}
      </List>
    );
  return <TreeView aria-label={title} data={tree} hasGuides variant="compactNoBackground" />;
}

function nothing(): undefined {
  return undefined;
}

interface Place {
  readonly words: ReturnType<typeof useTexts>['schemas'];
  readonly root: Schema;
  readonly depth: number;
  readonly path: string;
  readonly beside: Beside;
}

function properties(schema: Schema, place: Place): TreeViewDataItem[] {
  const { properties: own, required } = schema;
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(isObject(own) ? own : {}).map(([name, value]) =>
    item(name, needed.has(name), isObject(value) ? value : {}, {
      ...place,
      path: `${place.path}/properties/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    }),
  );
}

function item(name: string, isRequired: boolean, value: Schema, place: Place): TreeViewDataItem {
  const { words, depth, path, beside } = place;
  const schema = followed(value, place.root);
  const children = depth < MAX_DEPTH ? within(schema, { ...place, depth: depth + 1 }) : [];
  const { description } = schema;
  return {
    id: path,
    defaultExpanded: depth < 1,
    name: (
      <>
        <code>
          <strong>{name}</strong>
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
    ...(children.length === 0 ? {} : { children }),
  };
}

/** What lies in an object, in the items of a list, or in one of several forms. */
function within(schema: Schema, place: Place): TreeViewDataItem[] {
  const items = schema['items'];
  const forms = ['oneOf', 'anyOf', 'allOf'].flatMap((keyword) => {
    const list: unknown = schema[keyword];
    return Array.isArray(list) ? (list as unknown[]).map((form, at) => ({ form, keyword, at })) : [];
  });
  return [
    ...properties(schema, place),
    ...(isObject(items)
      ? within(followed(items, place.root), { ...place, path: `${place.path}/items` })
      : []),
    ...forms.flatMap(({ form, keyword, at }, index) =>
      isObject(form)
        ? [
            item(place.words.form(String(index + 1)), false, form, {
              ...place,
              path: `${place.path}/${keyword}/${String(at)}`,
            }),
          ]
        : [],
    ),
  ];
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
