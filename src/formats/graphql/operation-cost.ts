import {
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  valueFromASTUntyped,
  type ASTNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

type Described = { readonly astNode?: { readonly directives?: readonly DirectiveNode[] } | null | undefined };

/** Of one operation, its fragments counted wherever they are spread; Infinity where one spreads itself. */
export interface OperationCost {
  readonly fields: number;
  /**
   * Where the schema declares weights (`@cost`, `@listSize` of the GraphQL cost specification): a field has the weight
   * that it or its type has, else 1 where it answers objects and 0 where it answers values; what a list holds counts as
   * often as the list is said to be long.
   */
  readonly weight?: number;
}

export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operation, selectionSet }: OperationDefinitionNode,
): OperationCost {
  const count = (isWeighted: boolean): number =>
    new Counter(schema, document, isWeighted).of(selectionSet, schema.getRootType(operation) ?? undefined);
  return { fields: count(false), ...(usesWeights(schema) && { weight: count(true) }) };
}

class Counter {
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  private readonly counted = new Map<string, number>();

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly isWeighted: boolean,
  ) {
    const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
    this.fragments = new Map(fragments.map((node) => [node.name.value, node]));
  }

  of(selected: SelectionSetNode, parent: GraphQLNamedType | undefined): number {
    let sum = 0;
    for (const node of selected.selections) {
      if (node.kind === Kind.FIELD) sum += this.ofField(node, parent);
      else if (node.kind === Kind.FRAGMENT_SPREAD) sum += this.ofFragment(node.name.value);
      else sum += this.of(node.selectionSet, this.named(node.typeCondition?.name.value) ?? parent);
    }
    return sum;
  }

  private ofFragment(name: string): number {
    const known = this.counted.get(name);
    if (known !== undefined) return known;
    const fragment = this.fragments.get(name);
    if (fragment === undefined) return 0;
    // Of one that spreads itself, while it is being counted.
    this.counted.set(name, Infinity);
    const cost = this.of(fragment.selectionSet, this.named(fragment.typeCondition.name.value));
    this.counted.set(name, cost);
    return cost;
  }

  private ofField(node: FieldNode, parent: GraphQLNamedType | undefined): number {
    const field = fieldOf(parent, node.name.value);
    const type = field && getNamedType(field.type);
    const inner = node.selectionSet === undefined ? 0 : this.of(node.selectionSet, type);
    if (!this.isWeighted) return 1 + inner;
    const own = weightOf(field) ?? weightOf(type as Described | undefined) ?? (isCompositeType(type) ? 1 : 0);
    return (own + inner) * (field === undefined ? 1 : lengthOf(field, node));
  }

  private named(name: string | undefined): GraphQLNamedType | undefined {
    return name === undefined ? undefined : this.schema.getType(name);
  }
}

function fieldOf(
  parent: GraphQLNamedType | undefined,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
}

function usesWeights(schema: GraphQLSchema): boolean {
  return Object.values(schema.getTypeMap()).some(
    (type) =>
      weightOf(type as Described) !== undefined ||
      ((isObjectType(type) || isInterfaceType(type)) &&
        Object.values(type.getFields()).some((field) => weightOf(field) !== undefined)),
  );
}

function argumentsOf(described: Described | undefined, directive: string): Readonly<Record<string, unknown>> {
  const node = described?.astNode?.directives?.find(({ name }) => name.value === directive);
  return Object.fromEntries(
    (node?.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value as never)]),
  );
}

/** A weight is a text in the specification, and a number in some schemas. */
function weightOf(described: Described | undefined): number | undefined {
  const { weight } = argumentsOf(described, 'cost');
  const number = typeof weight === 'string' || typeof weight === 'number' ? Number(weight) : NaN;
  return Number.isFinite(number) ? Math.max(0, number) : undefined;
}

/** How often what a list holds counts: as its slicing argument says, else as `assumedSize` does. */
function lengthOf(field: GraphQLField<unknown, unknown>, node: FieldNode): number {
  const { assumedSize, slicingArguments } = argumentsOf(field, 'listSize');
  const names: readonly unknown[] = Array.isArray(slicingArguments) ? slicingArguments : [];
  const sizes = (node.arguments ?? [])
    .filter(({ name, value }) => names.includes(name.value) && (value as ASTNode).kind === Kind.INT)
    .map(({ value }) => Number(valueFromASTUntyped(value)));
  if (sizes.length > 0) return Math.max(1, ...sizes);
  return typeof assumedSize === 'number' && assumedSize > 1 ? assumedSize : 1;
}
