import type { JsonObject } from '../../documents/json.js';

const text = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const number = { type: 'number' } as const;
const anyMessage: JsonObject = { type: 'object', properties: { '@type': text } };
const status: JsonObject = {
  type: 'object',
  properties: { code: integer, message: text, details: { type: 'array', items: anyMessage } },
};

/** 64 bits don't fit a JSON number: the mapping writes texts and reads both. */
export const long: JsonObject = { type: ['string', 'integer'], format: 'int64' };

const numbers = (...names: string[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, number])),
});
const integers = (...names: string[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, integer])),
});

/**
 * Messages that files import from Google and seldom bring along, in their JSON form (protobuf's JSON mapping): nothing
 * has to be fetched for them.
 */
export const wellKnown: Readonly<Record<string, JsonObject>> = {
  'google.protobuf.Any': anyMessage,
  'google.protobuf.Empty': { type: 'object', additionalProperties: false },
  'google.protobuf.Timestamp': { type: 'string', format: 'date-time' },
  'google.protobuf.Duration': { type: 'string', description: 'Seconds with the suffix s: "1.5s".' },
  'google.protobuf.FieldMask': { type: 'string', description: 'Field paths, separated by commas.' },
  'google.protobuf.Struct': { type: 'object' },
  'google.protobuf.Value': {},
  'google.protobuf.ListValue': { type: 'array' },
  'google.protobuf.NullValue': { type: 'null' },
  'google.protobuf.BoolValue': { type: 'boolean' },
  'google.protobuf.StringValue': text,
  'google.protobuf.BytesValue': { type: 'string', contentEncoding: 'base64' },
  'google.protobuf.Int32Value': integer,
  'google.protobuf.UInt32Value': { type: 'integer', minimum: 0 },
  'google.protobuf.Int64Value': long,
  'google.protobuf.UInt64Value': long,
  'google.protobuf.FloatValue': number,
  'google.protobuf.DoubleValue': number,
  'google.rpc.Status': status,
  'google.longrunning.Operation': {
    type: 'object',
    properties: {
      name: text,
      metadata: anyMessage,
      done: { type: 'boolean' },
      error: status,
      response: anyMessage,
    },
  },
  'google.api.HttpBody': {
    type: 'object',
    properties: { contentType: text, data: { type: 'string', contentEncoding: 'base64' } },
  },
  'google.type.Date': integers('year', 'month', 'day'),
  'google.type.TimeOfDay': integers('hours', 'minutes', 'seconds', 'nanos'),
  'google.type.LatLng': numbers('latitude', 'longitude'),
  'google.type.Color': numbers('red', 'green', 'blue', 'alpha'),
  'google.type.Money': { type: 'object', properties: { currencyCode: text, units: long, nanos: integer } },
  'google.type.Decimal': { type: 'object', properties: { value: text } },
  'google.type.Expr': {
    type: 'object',
    properties: { expression: text, title: text, description: text, location: text },
  },
};

/** Services of files that others import to speak of long-running calls and the like: not the API itself. */
export const auxiliary: readonly string[] = ['google.longrunning', 'google.cloud.location', 'google.iam.v1'];
