import { yaml } from '@codemirror/lang-yaml';
import { lintGutter, nextDiagnostic, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { CodeEditor } from '../code-editor.tsx';
import type { Problem } from './outline.ts';

interface Given {
  readonly label: string;
  readonly value: string;
  /** Left out where it only is to be read. */
  readonly change: ((value: string) => void) | undefined;
  readonly problems: readonly Problem[];
  /** The line that is gone to; a new object each time. */
  readonly place: { readonly line: number } | undefined;
}

const language = [yaml(), lintGutter(), keymap.of([{ key: 'F8', run: nextDiagnostic }])];
const readOnly = [
  ...[yaml(), lintGutter(), EditorState.readOnly.of(true)],
  EditorView.contentAttributes.of({ 'aria-readonly': 'true' }),
];
const nothing = (): void => undefined;

/** An editor of YAML, with problems at their lines. */
export default function YamlSource({ label, value, change, problems, place }: Given) {
  const view = useRef<EditorView>(undefined);
  useEffect(() => {
    const editor = view.current;
    if (editor === undefined) return;
    const found = problems.map(({ severity, message, line }) => ({
      ...rangeOf(editor.state, line),
      ...{ severity, message },
    }));
    editor.dispatch(setDiagnostics(editor.state, found));
  }, [problems]);
  useEffect(() => {
    const editor = view.current;
    if (editor === undefined || place === undefined) return;
    const { from, to } = rangeOf(editor.state, place.line);
    editor.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from) });
    editor.focus();
  }, [place]);
  return (
    <CodeEditor
      {...{ label, value, view }}
      change={change ?? nothing}
      language={change === undefined ? readOnly : language}
    />
  );
}

/** What stands on a line, without the blanks that it begins with. Lines may have gone since they were counted. */
function rangeOf({ doc }: EditorState, number: number): { readonly from: number; readonly to: number } {
  const { from, to, text } = doc.line(Math.min(number, doc.lines));
  return { from: from + (text.length - text.trimStart().length), to };
}
