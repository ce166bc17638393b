import {
  Kind,
  parseConstValue,
  print,
  visit,
  type ConstValueNode,
  type DocumentNode,
  type TypeNode,
} from 'graphql';
import { isCarried } from '../../../packages/schema-reading/numbers.js';
import { isObject, listMember, member, textMember, type Json } from '../../documents/json.js';
import { meansText } from './scalar-schemas.js';

/** The document with its defaults as texts where they are numbers that JSON does not carry, or of a scalar that is a text. */
export function withWrittenDefaults(document: DocumentNode): DocumentNode {
  return visit(document, {
    InputValueDefinition: (node) => {
      const { defaultValue, type } = node;
      if (defaultValue === undefined) return undefined;
      const value = written(defaultValue, nameOf(type));
      return value === defaultValue ? undefined : { ...node, defaultValue: value };
    },
  });
}

/** Does so, in place, in the answer to an introspection query. */
export function writeDefaults(schema: Json): void {
  for (const type of listMember(schema, 'types')) {
    const fields = listMember(type, 'fields').flatMap((field) => listMember(field, 'args'));
    for (const value of [...listMember(type, 'inputFields'), ...fields]) {
      const text = textMember(value, 'defaultValue');
      if (!isObject(value) || text === undefined || !/\d/.test(text)) continue;
      value['defaultValue'] = print(written(parseConstValue(text), nameIn(member(value, 'type'))));
    }
  }
}

function written(value: ConstValueNode, scalar: string): ConstValueNode {
  const isText = meansText(scalar);
  const asText = (node: { readonly value: string }): ConstValueNode | undefined =>
    isText || !isCarried(node.value) ? { kind: Kind.STRING, value: node.value } : undefined;
  return visit(value, { IntValue: asText, FloatValue: asText });
}

const nameOf = (type: TypeNode): string =>
  type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type);

/** References of introspection are nested no deeper than lists in lists are. */
function nameIn(type: Json | undefined, depth = 0): string {
  const inner = member(type, 'ofType');
  return isObject(inner) && depth < 10 ? nameIn(inner, depth + 1) : (textMember(type, 'name') ?? '');
}
