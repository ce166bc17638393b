import { parse, Root } from 'protobufjs';
import { UnreadableDocument } from '../../documents/findings.js';

export interface ProtoFile {
  /** Within the upload; empty where only one text was sent. */
  readonly path: string;
  readonly text: string;
}

/** What stands in a file, beside the types that it adds to the root. */
export interface ParsedFile {
  readonly path: string;
  readonly package: string;
  readonly imports: readonly string[];
  /** `proto2`, `proto3`, or the edition: `2023`. */
  readonly syntax: string;
}

export interface ParsedFiles {
  readonly root: Root;
  readonly files: readonly ParsedFile[];
}

/**
 * Parses files into one root. What they import is never fetched: it is among them, or known, or stays unknown.
 *
 * @throws UnreadableDocument `malformed_proto` with file and line
 */
export function parseFiles(files: readonly ProtoFile[]): ParsedFiles {
  const root = new Root();
  const parsed = files.map(({ path, text }) => {
    try {
      const file = parse(text, root, { keepCase: true, alternateCommentMode: true });
      return {
        path,
        package: file.package ?? '',
        imports: [...(file.imports ?? []), ...(file.weakImports ?? [])],
        // The parser keeps it to itself. It is the first statement, and proto2 where there is none.
        syntax: /^[ \t]*(?:syntax|edition)\s*=\s*["']([\w.]{1,20})["']/m.exec(text)?.[1] ?? 'proto2',
      };
    } catch (fault) {
      if (!(fault instanceof Error) || fault instanceof RangeError) throw fault;
      const where = path === '' ? '' : ` in ${path}`;
      throw new UnreadableDocument(
        'malformed_proto',
        `This is no .proto text: ${fault.message.slice(0, 300)}${where}. Mend it there and send it again.`,
      );
    }
  });
  return { root, files: parsed };
}
