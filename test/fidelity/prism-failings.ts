/**
 * What Prism complains of though the document says otherwise: each with the circumstances in which it is so, and the reason, so that
 * nothing else is passed over.
 */
import type { JsonObject } from '../../src/documents/json.js';
import type { DescribedOperation } from './described-operations.js';

export interface Circumstances {
  readonly operation: DescribedOperation;
  readonly document: JsonObject;
  readonly contentType: string;
}

interface Failing {
  readonly complaint: RegExp;
  readonly why: string;
  isSo(of: Circumstances): boolean;
}

export const failings: readonly Failing[] = [
  {
    complaint: /^route: /,
    why: 'Its router knows no path keys with a query, a fragment or an expression.',
    isSo: ({ operation }) => /[?#]|\{[^{}]*[:*{]/.test(operation.path),
  },
  {
    complaint: /^body\b.* must be (?:object|array|number|integer|boolean)$/,
    why: 'It reads neither XML nor bytes.',
    isSo: ({ contentType }) =>
      /^(?:[\w.-]+\/(?:[\w.-]+\+)?xml\b|image\/|application\/octet-stream)/i.test(contentType),
  },
  {
    complaint: /^body\.\S+: .* must be (?:array|object)$/,
    why: 'Of several fields or parts of one name it keeps the last, unless `encoding` has a style; JSON in them is a text to it.',
    isSo: ({ contentType }) => /^(?:application\/x-www-form-urlencoded|multipart\/)/i.test(contentType),
  },
  {
    complaint: /^body: .* must be string$/,
    why: 'Every form is an object to it.',
    isSo: ({ contentType }) => /^application\/x-www-form-urlencoded/i.test(contentType),
  },
  {
    complaint: /No supported content types/,
    why: 'A document of 2.0 may leave out `consumes`.',
    isSo: ({ document }) => document['swagger'] !== undefined && document['consumes'] === undefined,
  },
  {
    complaint: /^(?:path|query|headers?)\.\S+: .* must match exactly one schema in oneOf$/,
    why: 'It takes a text of digits for a number and for a text, so both of two alternatives fit.',
    isSo: () => true,
  },
];

export const isFailing = (complaint: string, of: Circumstances): boolean =>
  failings.some((failing) => failing.complaint.test(complaint) && failing.isSo(of));
