import { Label, ToggleGroup, ToggleGroupItem, TreeView, type TreeViewDataItem } from '@patternfly/react-core';
import { useMemo, useState } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { Code } from './code.tsx';

type Schema = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 12;

/** A JSON Schema, to be read: as a tree of its properties, or as it is. */
export function SchemaView({ title, schema }: { readonly title: string; readonly schema: Schema }) {
  const { schemas } = useTexts();
  const [isTree, setTree] = useState(true);
  const words = schemas;
  const tree = useMemo(
    () => properties(schema, { words, root: schema, depth: 0, path: '' }),
    [schema, words],
  );
  return (
    <div className="portal-stack">
      <ToggleGroup isCompact aria-label={title}>
        <ToggleGroupItem text={schemas.tree} isSelected={isTree} onChange={() => setTree(true)} />
        <ToggleGroupItem text={schemas.json} isSelected={!isTree} onChange={() => setTree(false)} />
      </ToggleGroup>
      {!isTree && <Code text={JSON.stringify(schema, undefined, 2)} />}
      {isTree && tree.length === 0 && <p className="portal-subtle">{schemas.none}</p>}
      {isTree && tree.length > 0 && (
        <TreeView aria-label={title} data={tree} hasGuides variant="compactNoBackground" />
      )}
    </div>
  );
}

interface Place {
  readonly words: ReturnType<typeof useTexts>['schemas'];
  readonly root: Schema;
  readonly depth: number;
  readonly path: string;
}

function properties(schema: Schema, place: Place): TreeViewDataItem[] {
  const { properties: own, required } = schema;
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(isSchema(own) ? own : {}).map(([name, value]) =>
    item(name, needed.has(name), isSchema(value) ? value : {}, place),
  );
}

function item(name: string, isRequired: boolean, value: Schema, place: Place): TreeViewDataItem {
  const { words, depth } = place;
  const path = `${place.path}/${name}`;
  const schema = followed(value, place.root);
  const below = { ...place, depth: depth + 1, path };
  const children = depth < MAX_DEPTH ? within(schema, below) : [];
  return {
    id: path,
    defaultExpanded: depth < 1,
    title: <code>{typeOf(schema, words)}</code>,
    name: (
      <>
        <strong>{name}</strong>{' '}
        {isRequired && (
          <Label isCompact color="blue">
            {words.required}
          </Label>
        )}{' '}
        {typeof schema['description'] === 'string' && (
          <span className="portal-wrap">{schema['description']}</span>
        )}{' '}
        <span className="portal-subtle">{limits(schema, words)}</span>
      </>
    ),
    ...(children.length === 0 ? {} : { children }),
  };
}

/** What lies in an object, in the items of a list, or in one of several forms. */
function within(schema: Schema, place: Place): TreeViewDataItem[] {
  const items = schema['items'];
  const forms = [schema['oneOf'], schema['anyOf'], schema['allOf']].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  );
  return [
    ...properties(schema, place),
    ...(isSchema(items) ? within(followed(items, place.root), { ...place, path: `${place.path}[]` }) : []),
    ...forms
      .filter(isSchema)
      .map((form, index) => item(place.words.form(String(index + 1)), false, form, place)),
  ];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a reference within the document leads to; one that leads nowhere is left as it is. */
function followed(schema: Schema, root: Schema): Schema {
  const reference = schema['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return schema;
  const steps = reference
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const found = steps.reduce<unknown>((at, step) => (isSchema(at) ? at[step] : undefined), root);
  return isSchema(found) ? found : schema;
}

function typeOf(schema: Schema, words: Place['words']): string {
  const { type, items } = schema;
  if (type === 'array' && isSchema(items)) return words.listOf(typeOf(items, words));
  if (Array.isArray(type)) return type.join(' | ');
  if (typeof type === 'string') return type;
  if (typeof schema['$ref'] === 'string') return schema['$ref'];
  return Array.isArray(schema['enum']) || 'const' in schema ? words.value : words.any;
}

/** Limits and presets, also those that are 0, false or empty. */
function limits(schema: Schema, words: Place['words']): string {
  const shown = [
    'const',
    'enum',
    'format',
    'pattern',
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
  ];
  const facts = shown
    .filter((name) => name in schema)
    .map((name) => `${name} ${JSON.stringify(schema[name])}`);
  return [...facts, ...('default' in schema ? [words.preset(JSON.stringify(schema['default']))] : [])].join(
    ' · ',
  );
}
