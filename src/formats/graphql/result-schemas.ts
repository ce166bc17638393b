import {
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import type { JsonObject } from '../../documents/json.js';
import type { ReadOperation } from './operations.js';
import { leafSchema } from './scalar-schemas.js';

/** Fields that are answered under one name, with what is selected of them. */
interface Answered {
  readonly type: GraphQLOutputType;
  /** Whether it is there whatever type of object is answered, and whatever the directives say. */
  isAlways: boolean;
  readonly selected: SelectionSetNode[];
}

/**
 * The shape of an operation's result, as its selection and the schema of its API have it: what of the data of its field a caller may
 * read. The operation was held against the schema before.
 */
export function resultSchema(
  schema: GraphQLSchema,
  { document, definition, field }: Pick<ReadOperation, 'document' | 'definition' | 'field'>,
): JsonObject {
  const fragments = new Map(
    document.definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((node) => [node.name.value, node]),
  );
  const shapes = new Shapes(schema, fragments);
  const root = schema.getRootType(definition.operation);
  const answered = root && shapes.fieldsOf(root, [definition.selectionSet]).get(field);
  return answered == null ? {} : shapes.present(answered.type, answered.selected);
}

class Shapes {
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  ) {}

  /** Of a value that is not null. */
  present(type: GraphQLOutputType, selected: readonly SelectionSetNode[]): JsonObject {
    if (isNonNullType(type)) return this.present(type.ofType, selected);
    if (isListType(type)) return { type: 'array', items: this.value(type.ofType, selected) };
    const named = getNamedType(type);
    if (!isCompositeType(named)) return leaf(named);
    const fields = [...this.fieldsOf(named, selected)];
    return {
      type: 'object',
      properties: Object.fromEntries(
        fields.map(([name, each]) => [name, this.value(each.type, each.selected)]),
      ),
      required: fields.filter(([, { isAlways }]) => isAlways).map(([name]) => name),
      additionalProperties: false,
    };
  }

  private value(type: GraphQLOutputType, selected: readonly SelectionSetNode[]): JsonObject {
    const shape = this.present(type, selected);
    return isNonNullType(type) ? shape : { anyOf: [shape, { type: 'null' }] };
  }

  fieldsOf(parent: GraphQLCompositeType, selected: readonly SelectionSetNode[]): Map<string, Answered> {
    const found = new Map<string, Answered>();
    for (const set of selected) this.collect({ set, parent, isAlways: true }, found);
    return found;
  }

  private collect(
    { set, parent, isAlways }: { set: SelectionSetNode; parent: GraphQLCompositeType; isAlways: boolean },
    found: Map<string, Answered>,
  ): void {
    for (const node of set.selections) {
      const isHere = isAlways && (node.directives ?? []).length === 0;
      if (node.kind === Kind.FIELD) {
        const type = this.typeOf(parent, node.name.value);
        const key = (node.alias ?? node.name).value;
        if (type === undefined) continue;
        const known = found.get(key) ?? { type, isAlways: false, selected: [] };
        known.isAlways ||= isHere;
        if (node.selectionSet !== undefined) known.selected.push(node.selectionSet);
        found.set(key, known);
        continue;
      }
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : this.fragments.get(node.name.value);
      if (fragment === undefined) continue;
      const condition = fragment.typeCondition?.name.value;
      const on = condition === undefined ? parent : this.schema.getType(condition);
      if (!isCompositeType(on)) continue;
      const isEvery =
        on === parent || (isAbstractType(on) && isObjectType(parent) && this.schema.isSubType(on, parent));
      this.collect({ set: fragment.selectionSet, parent: on, isAlways: isHere && isEvery }, found);
    }
  }

  private typeOf(parent: GraphQLCompositeType, name: string): GraphQLOutputType | undefined {
    if (name === '__typename') return this.schema.getType('String') as GraphQLOutputType | undefined;
    return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name]?.type : undefined;
  }
}

function leaf(named: GraphQLNamedType): JsonObject {
  return isEnumType(named) ? { enum: named.getValues().map(({ name }) => name) } : leafSchema(named);
}
