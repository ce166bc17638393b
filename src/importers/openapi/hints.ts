import { member, textMember, type JsonObject } from '../../documents/json.js';

/** What authors say about tools made of their operations. */
export interface Hints {
  readonly disabled: boolean;
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  /** A call has consequences: somebody is asked before each. */
  readonly humanApprovalRequired?: true;
}

/**
 * Reads `x-speakeasy-mcp` (`{disabled, name, title, description}`) of an operation, and `x-mcp` (`true`, `false` or
 * the same members, with `enabled` for its opposite) of the operation, else of its path, else of the document; and
 * `x-openai-isConsequential: true` of an operation. That it is `false` clears nothing.
 */
export function hintsOf(root: JsonObject, item: JsonObject, operation: JsonObject): Hints {
  const speakeasy = member(operation, 'x-speakeasy-mcp');
  const switches = [operation, item, root]
    .map((holder) => member(holder, 'x-mcp'))
    .filter((hint) => hint !== undefined);
  const own = member(operation, 'x-mcp');
  const text = (name: string) => textMember(speakeasy, name) ?? textMember(own, name);
  const [name, title, description] = [text('name'), text('title'), text('description')];
  const nearest = switches[0];
  return {
    disabled:
      member(speakeasy, 'disabled') === true ||
      nearest === false ||
      member(nearest, 'disabled') === true ||
      member(nearest, 'enabled') === false,
    ...(name === undefined ? {} : { name }),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(member(operation, 'x-openai-isConsequential') === true && { humanApprovalRequired: true }),
  };
}
