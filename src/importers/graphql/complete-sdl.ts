import {
  Kind,
  isTypeDefinitionNode,
  isTypeExtensionNode,
  type DefinitionNode,
  type DocumentNode,
} from 'graphql';

/** Scalars that a platform knows without their being declared: AWS AppSync, Apollo Federation, The Graph. */
const platformScalars: readonly string[] = [
  ...['Date', 'DateTime', 'Email', 'IPAddress', 'JSON', 'Phone', 'Time', 'Timestamp', 'URL'].map(
    (name) => `AWS${name}`,
  ),
  ...['_Any', '_FieldSet', 'FieldSet', 'federation__FieldSet', 'federation__Scope', 'federation__Policy'],
  ...['link__Import', 'link__Purpose', 'Bytes', 'BigInt', 'BigDecimal', 'Int8', 'Timestamp'],
];

const definitionOf = {
  [Kind.SCALAR_TYPE_EXTENSION]: Kind.SCALAR_TYPE_DEFINITION,
  [Kind.OBJECT_TYPE_EXTENSION]: Kind.OBJECT_TYPE_DEFINITION,
  [Kind.INTERFACE_TYPE_EXTENSION]: Kind.INTERFACE_TYPE_DEFINITION,
  [Kind.UNION_TYPE_EXTENSION]: Kind.UNION_TYPE_DEFINITION,
  [Kind.ENUM_TYPE_EXTENSION]: Kind.ENUM_TYPE_DEFINITION,
  [Kind.INPUT_OBJECT_TYPE_EXTENSION]: Kind.INPUT_OBJECT_TYPE_DEFINITION,
} as const;

/**
 * The document with what stands elsewhere: a part of a larger schema (a subgraph, a module) extends types that it does
 * not declare, `Query` among them, and platforms have scalars of their own.
 */
export function completed(document: DocumentNode): DocumentNode {
  const declared = new Set(document.definitions.filter(isTypeDefinitionNode).map(({ name }) => name.value));
  const definitions = document.definitions.map((node): DefinitionNode => {
    if (!isTypeExtensionNode(node) || declared.has(node.name.value)) return node;
    declared.add(node.name.value);
    return { ...node, kind: definitionOf[node.kind] } as DefinitionNode;
  });
  const scalars = platformScalars
    .filter((name) => !declared.has(name))
    .map((value): DefinitionNode => ({
      kind: Kind.SCALAR_TYPE_DEFINITION,
      name: { kind: Kind.NAME, value },
    }));
  return { ...document, definitions: [...definitions, ...scalars] };
}
