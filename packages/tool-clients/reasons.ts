/**
 * Why a value is refused: the id that all languages give, most of them the keyword of JSON Schema, and its phrase after a
 * pointer. `{limit}` is what the keyword says.
 */
export const reasons: Readonly<Record<string, string>> = {
  json: 'is nothing that JSON has',
  unicode: 'holds half a surrogate pair, which is no Unicode',
  limit: 'is nested too deep, or takes too much work to check',
  false: 'must not be there',
  type: 'must be of type {limit}',
  const: 'must be {limit}',
  enum: 'must be one of {limit}',
  minimum: 'must be at least {limit}',
  maximum: 'must be at most {limit}',
  exclusiveMinimum: 'must be more than {limit}',
  exclusiveMaximum: 'must be less than {limit}',
  multipleOf: 'must be a multiple of {limit}',
  minLength: 'must have at least {limit} characters',
  maxLength: 'must have at most {limit} characters',
  pattern: 'must match the regular expression {limit}',
  minItems: 'must have at least {limit} items',
  maxItems: 'must have at most {limit} items',
  uniqueItems: 'must not have an item twice',
  contains: 'must have more, or fewer, items of the kind asked for',
  minProperties: 'must have at least {limit} members',
  maxProperties: 'must have at most {limit} members',
  required: 'must be there',
  dependentRequired: 'must be there, since another member is',
  additionalProperties: 'is no member that is known here; leave it out',
  propertyNames: 'must have another name',
  anyOf: 'must be one of several things, and is none',
  oneOf: 'must be just one of several things, and is none or more than one',
  not: 'must not be what it is',
};
