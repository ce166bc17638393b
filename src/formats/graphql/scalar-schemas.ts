import type { GraphQLNamedType } from 'graphql';
import type { JsonObject } from '../../documents/json.js';

const own: Readonly<Record<string, JsonObject>> = {
  Int: { type: 'integer', minimum: -2147483648, maximum: 2147483647 },
  Float: { type: 'number' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  ID: { type: 'string' },
};

/** Describes a leaf that is answered: what a scalar is that the schema declares itself, nobody knows. */
export function leafSchema({ name, description }: GraphQLNamedType): JsonObject {
  return own[name] ?? { ...(description ? { description } : {}), title: name };
}

/** Scalars that schemas declare under these names, in small letters and without a platform's prefix, and mean texts by. */
const texts = new Set(
  (
    'base64 base64string bigdecimal char color countrycode currency currencycode cursor date datetime decimal did ' +
    'duration email emailaddress gitobjectid guid hash hexadecimal hexcolorcode hostname html iban instant ' +
    'ip ipaddress ipv4 ipv6 isbn iso8601date iso8601datetime iso8601duration isodate isodatetime jwt language locale ' +
    'localdate localdatetime localtime mac markdown md5 month nanoid nonemptystring objectid offsetdatetime phone ' +
    'phonenumber postalcode regex semver sha256 slug text time timeofday timezone token ulid uri url utcdatetime uuid ' +
    'version x509certificate year yearmonth zoneddatetime'
  ).split(' '),
);

export const meansText = (name: string): boolean =>
  texts.has(
    name
      .replace(/^(AWS|_)/, '')
      .toLowerCase()
      .replaceAll('_', ''),
  );

/** As many as JSON has but null: any of them may be meant. */
const anything = ['string', 'number', 'boolean', 'object', 'array'];

/**
 * Describes a leaf that is given: makers of models take no schema without a type. A scalar that the schema declares itself
 * is a text where its name says so, and else may be anything.
 */
export function givenScalarSchema(scalar: GraphQLNamedType): JsonObject {
  const { name } = scalar;
  if (Object.hasOwn(own, name)) return leafSchema(scalar);
  return {
    ...leafSchema(scalar),
    ...(meansText(name) ? { type: 'string' } : { type: [...anything], items: {} }),
  };
}
