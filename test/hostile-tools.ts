import type { ToolInterface } from '../packages/tool-clients/tool-interface.js';
import type { Json, JsonObject } from '../packages/schema-reading/keywords.js';

export const digest = `sha256:${'0f'.repeat(32)}`;

/** A tool of some arguments. */
export function aTool(
  name: string,
  inputSchema: JsonObject,
  rest: Partial<ToolInterface> = {},
): ToolInterface {
  return { name, version: '1.0.0', title: name, description: `Does ${name}.`, digest, inputSchema, ...rest };
}

const bs = '\\';
/** Texts that end a literal or a comment of some language, or mean something to a compiler. */
export const hostileWords: readonly string[] = [
  '*/ globalThis.ran = 1; /*',
  '"""\nimport os; os.system("touch /tmp/ran")\n"""',
  "'''",
  `#{\`touch /tmp/ran\`} #$0 #@a`,
  '`${globalThis.ran = 1}`',
  "' + 1 + '",
  '" + 1 + "',
  `${bs}' ${bs}" ${bs}`,
  `ends in a backslash ${bs}`,
  'ends in a quote and a blank " ',
  'line\nline\r\nline\rline',
  'line\u2028line\u2029line\u0085line',
  '</script><script>globalThis.ran = 1</script>',
  'nul \0 bell \x07 escape \x1b',
  '\ud83d half a pair',
  '\u202e turned \u2066 around',
  '# type: ignore\n# -*- frozen_string_literal: true -*-\n=begin\n__END__\n',
  '// @ts-ignore\n/// <reference path="/etc/passwd" />',
  '@ts-nocheck',
  '%w{a} %{b} %s <%= 1 %>',
  '\u{1f600}\u{1f469}\u200d\u{1f4bb}',
  'ａ ﬁ ǅ ß İ',
];

/** Names of tools and of arguments that are keywords, alike, or no names at all. */
export const hostileNames: readonly string[] = [
  ...'class self def end None True lambda yield type new delete function await async'.split(' '),
  ...'__proto__ constructor prototype toString hasOwnProperty arguments then nil BEGIN __FILE__'.split(' '),
  ...'kebab-name kebab_name kebabName a_b aB A_B a-b $odd $ _ __ _1 _private __mangled'.split(' '),
  ...'1st 3d 42 con nul runtime _runtime spec errors str int list dict Any Union Object String'.split(' '),
  ...'Hash Array Struct Kernel ToolRegistry Base Output Result Input json abc re additional_properties'.split(
    ' ',
  ),
  ...'raise NotImplementedError execute call print puts send class_eval proc loop p'.split(' '),
  ...'untyped void bool instance singleton interface alias attr_reader in out unchecked'.split(' '),
  ...['', ' ', 'two words', 'größe', '名前', 'x'.repeat(200), `${'x'.repeat(199)}y`, 'a/b~c', 'a.b', 'a:b'],
  ...hostileWords,
];

const words = hostileWords.join(' | ');

/** Hostile texts wherever a spec has texts. */
export const hostileTools: readonly ToolInterface[] = [
  ...hostileNames.map((name) => aTool(name, { type: 'object', properties: { [name]: { type: 'string' } } })),
  aTool(
    'everywhere',
    {
      type: 'object',
      description: words,
      properties: Object.fromEntries([
        ...hostileNames.map((name): [string, Json] => [
          name,
          { type: 'string', description: words, default: `${name} ${words}` },
        ]),
        ['ofThem', { $ref: '#/$defs/hostile' }],
      ]),
      required: hostileNames.slice(0, 3),
      $defs: {
        hostile: {
          $ref: `#/$defs/${words.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25')}`,
        },
        [words]: {
          type: 'object',
          properties: Object.fromEntries(
            hostileNames.map((name): [string, Json] => [name, { enum: [...hostileWords, 1, true, null] }]),
          ),
          required: [...hostileNames],
        },
      },
    },
    { title: words, description: hostileWords.join('\n\n'), host: words, outputSchema: { const: words } },
  ),
  aTool('class', { type: 'object', properties: { class: { type: 'string' } } }, { version: '2.0.0-rc.1' }),
  ...hostileWords.map((word, index) =>
    aTool(
      `described ${String(index)}`,
      { type: 'object', properties: { a: { description: word } } },
      {
        title: word,
        description: word,
      },
    ),
  ),
  aTool('no_object', {}),
  aTool('of_alternatives', {
    oneOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'null' }],
  }),
  aTool('malformed', {
    type: 'object',
    properties: { a: { type: 'strung', required: true, minimum: 'x', items: [1] }, b: 5 },
    required: 'a',
    pattern: 7,
    allOf: [],
  }),
  aTool('round', {
    type: 'object',
    properties: {
      self: { $ref: '#' },
      node: { $ref: '#/$defs/Node' },
      list: { $ref: '#/$defs/List' },
      loop: { $ref: '#/$defs/Loop' },
      either: { $ref: '#/$defs/Either' },
      map: { $ref: '#/$defs/Map' },
      tuple: { $ref: '#/$defs/Tuple' },
      pair: { $ref: '#/$defs/Pair' },
      rest: { $ref: '#/$defs/Rest' },
      mixed: { $ref: '#/$defs/Mixed' },
      there: { $ref: '#/$defs/There' },
      nowhere: { $ref: 'https://example.com/schema.json' },
    },
    $defs: {
      Node: {
        type: 'object',
        required: ['value'],
        properties: {
          value: {},
          next: { $ref: '#/$defs/Node' },
          children: { type: 'array', items: { $ref: '#/$defs/Node' } },
        },
      },
      List: { type: 'array', items: { $ref: '#/$defs/List' } },
      Map: { type: 'object', additionalProperties: { $ref: '#/$defs/Map' } },
      Loop: { $ref: '#/$defs/Loop' },
      There: { $ref: '#/$defs/Back' },
      Back: { anyOf: [{ $ref: '#/$defs/There' }, { $ref: '#/$defs/Back' }, { type: 'string' }] },
      Tuple: { type: 'array', prefixItems: [{ $ref: '#/$defs/Tuple' }] },
      Pair: { type: 'array', prefixItems: [{ type: 'string' }, { $ref: '#/$defs/Pair' }], items: false },
      Rest: {
        type: 'array',
        minItems: 1,
        prefixItems: [{ type: 'string' }],
        items: { $ref: '#/$defs/Rest' },
      },
      Mixed: {
        anyOf: [
          { type: 'array', prefixItems: [{ $ref: '#/$defs/Tuple' }, { $ref: '#/$defs/Mixed' }] },
          { type: ['string', 'null'] },
        ],
      },
      Either: { anyOf: [{ $ref: '#/$defs/Either' }, { type: 'string' }] },
    },
  }),
];
