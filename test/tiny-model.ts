import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import protobuf from 'protobufjs';

/** As much of the ONNX format (onnx.proto3) as one lookup in a table takes. */
const { root: onnx } = protobuf.parse(`
syntax = "proto3";
message Tensor { repeated int64 dims = 1; int32 dataType = 2; string name = 8; bytes rawData = 9; }
message Node { repeated string input = 1; repeated string output = 2; string opType = 4; }
message Dimension { int64 dimValue = 1; string dimParam = 2; }
message Shape { repeated Dimension dim = 1; }
message TensorType { int32 elemType = 1; Shape shape = 2; }
message Type { TensorType tensorType = 1; }
message ValueInfo { string name = 1; Type type = 2; }
message Graph { repeated Node node = 1; string name = 2; repeated Tensor initializer = 5;
                repeated ValueInfo input = 11; repeated ValueInfo output = 12; }
message OperatorSet { string domain = 1; int64 version = 2; }
message Model { int64 irVersion = 1; Graph graph = 7; repeated OperatorSet opsetImport = 8; }`);
const [float32, int64] = [1, 7];

const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
/** Words of one line mean the same to the model; all others mean nothing. */
const topics = ['money balance cash rich wealthy', 'transfer send wire', 'loan loans credit'].map((line) =>
  line.split(' '),
);
const words = [...special, ...topics.flat()];

/**
 * Writes a model that loads and runs like a real one, in a folder of its name: a tokenizer, and an ONNX graph that
 * looks each word up. It tests the way to the vectors; what it knows of meaning is written above.
 */
export async function writeTinyModel(folder: string, name: string, dimension = 384): Promise<void> {
  const model = join(folder, name);
  await mkdir(join(model, 'onnx'), { recursive: true });
  const write = (file: string, content: object) => writeFile(join(model, file), JSON.stringify(content));
  await writeFile(join(model, 'onnx', 'model_quantized.onnx'), graph(dimension));
  await write('config.json', { architectures: ['BertModel'], model_type: 'bert', hidden_size: dimension });
  const names = { unk_token: '[UNK]', pad_token: '[PAD]', cls_token: '[CLS]', sep_token: '[SEP]' };
  await write('tokenizer_config.json', { tokenizer_class: 'BertTokenizer', model_max_length: 128, ...names });
  await write('tokenizer.json', tokenizer());
}

function graph(dimension: number): Uint8Array {
  const table = new Float32Array(words.length * dimension);
  for (const [index, word] of words.entries()) {
    const topic = topics.findIndex((topicWords) => topicWords.includes(word));
    table[index * dimension + (topic < 0 ? dimension - 1 : topic)] = topic < 0 ? 0.1 : 1;
  }
  const sizes = ['texts', 'words'].map((dimParam) => ({ dimParam }));
  const value = (name: string, elemType: number, dim: object[]) => ({
    name,
    type: { tensorType: { elemType, shape: { dim } } },
  });
  const model = onnx.lookupType('Model');
  return model
    .encode(
      model.fromObject({
        irVersion: 8,
        opsetImport: [{ domain: '', version: 13 }],
        graph: {
          name: 'tiny',
          node: [{ opType: 'Gather', input: ['table', 'input_ids'], output: ['last_hidden_state'] }],
          initializer: [
            {
              name: 'table',
              dims: [words.length, dimension],
              dataType: float32,
              rawData: new Uint8Array(table.buffer),
            },
          ],
          input: [value('input_ids', int64, sizes)],
          output: [value('last_hidden_state', float32, [...sizes, { dimValue: dimension }])],
        },
      }),
    )
    .finish();
}

/** Words as they are, lower case, between [CLS] and [SEP] (the format of Hugging Face's tokenizers). */
function tokenizer(): object {
  const at = (token: string) => ({ SpecialToken: { id: token, type_id: 0 } });
  const text = { Sequence: { id: 'A', type_id: 0 } };
  const known = (token: string) => ({ id: token, ids: [words.indexOf(token)], tokens: [token] });
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: special.map((content, id) => ({ id, content, special: true, normalized: false })),
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [at('[CLS]'), text, at('[SEP]')],
      pair: [at('[CLS]'), text, at('[SEP]'), text, at('[SEP]')],
      special_tokens: { '[CLS]': known('[CLS]'), '[SEP]': known('[SEP]') },
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(words.map((word, index) => [word, index])),
    },
  };
}
