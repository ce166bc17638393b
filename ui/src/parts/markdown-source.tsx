import { markdown } from '@codemirror/lang-markdown';
import type { EditorView } from '@codemirror/view';
import { useRef } from 'react';
import { CodeEditor } from './code-editor.tsx';

interface Given {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
}

const language = markdown();

/** An editor of Markdown. */
export default function MarkdownSource({ label, value, change }: Given) {
  const view = useRef<EditorView>(undefined);
  return <CodeEditor {...{ label, value, change, language, view }} />;
}
