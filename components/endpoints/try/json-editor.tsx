"use client";

import { autocompletion } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import {
  bracketMatching,
  foldGutter,
  HighlightStyle,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import type { Endpoint } from "@/lib/common/contract";
import type { RequestProblem } from "../request/check-request";
import { fixWords, problemWords } from "./problem-words";

const theme = EditorView.theme({
  "&": {
    fontSize: "0.8125rem",
    backgroundColor: "var(--sunken)",
    borderRadius: "6px",
    minHeight: "96px",
    maxHeight: "min(64vh, 600px)",
  },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "2px" },
  ".cm-scroller": {
    overflow: "auto",
    fontFamily: "var(--mono)",
    lineHeight: "1.5",
    padding: "8px 0",
  },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--muted)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "40px", paddingRight: "8px" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground":
    {
      backgroundColor: "color-mix(in srgb, var(--accent) 25%, transparent)",
    },
  ".cm-tooltip": {
    backgroundColor: "var(--surface)",
    color: "var(--text)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
    fontFamily: "var(--sans)",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
  },
  ".cm-diagnostic": { padding: "6px 10px" },
  ".cm-diagnostic-error": { borderLeft: "2px solid var(--bad)" },
  ".cm-diagnosticAction": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
    padding: "2px 8px",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad)",
    textUnderlineOffset: "3px",
  },
  ".cm-foldPlaceholder": { backgroundColor: "transparent", border: "none", color: "var(--muted)" },
});

const highlight = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: tags.string, color: "var(--ok)" },
  { tag: tags.number, color: "var(--copper)" },
  { tag: [tags.bool, tags.null], color: "var(--info)" },
]);

/** The nonce under which this page may add styles; the browser hides it from selectors, not from scripts. */
const pageNonce = () => document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";

/** Words that a request is made of, and the names of this endpoint. */
const completionsFor = (inputs: Endpoint["inputs"]) =>
  [
    "inputs",
    "name",
    "shape",
    "datatype",
    "data",
    ...inputs.flatMap(({ name, datatype }) => [name, datatype]),
  ].map((label) => ({ label, apply: label, type: "text" }));

/** What the editor tells, by the newest functions of its owner. */
interface EditorEvents {
  readonly onChange: (text: string) => void;
  readonly onSend: () => void;
}
type LatestEvents = { readonly current: EditorEvents };

/**
 * A JSON editor for requests, as high as its text up to a limit. Tab leaves it, so the keyboard is never trapped; Ctrl or ⌘ Enter
 * sends. What is wrong with the request is underlined, with its mend where there is one.
 */
export function JsonEditor({
  value,
  inputs,
  problems,
  shown,
  onChange,
  onSend,
}: EditorEvents & {
  value: string;
  inputs: Endpoint["inputs"];
  problems: readonly RequestProblem[];
  /** A place to go to; each count of `times` goes there again. */
  shown: { readonly at: number; readonly times: number } | null;
}) {
  const t = useTranslations("predictions");
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef<EditorEvents>({ onChange, onSend });
  latest.current = { onChange, onSend };
  const completion = useRef(new Compartment());
  const first = useRef({ value, label: t("requestJson") });

  useEffect(() => {
    if (!host.current) return;
    const extensions = [
      ...editorExtensions(latest, first.current.label),
      completion.current.of([]),
    ];
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({ doc: first.current.value, extensions }),
    });
    // What scrolls can be reached and scrolled by keyboard.
    editor.scrollDOM.tabIndex = 0;
    view.current = editor;
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    view.current?.dispatch({
      effects: completion.current.reconfigure(requestCompletion(inputs)),
    });
  }, [inputs]);

  // A value from outside (another sample) replaces the text; what the editor itself reported does not.
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() !== value) return;
    const { length } = editor.state.doc;
    const diagnostics = problems.map((problem) => diagnosticOf(problem, t, length));
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [problems, value, t]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || !shown) return;
    const anchor = Math.min(shown.at, editor.state.doc.length);
    editor.dispatch({ selection: { anchor }, scrollIntoView: true });
    editor.focus();
  }, [shown]);

  return <div ref={host} />;
}

const editorExtensions = (latest: LatestEvents, label: string): Extension[] => [
  EditorView.cspNonce.of(pageNonce()),
  lineNumbers(),
  foldGutter(),
  history(),
  bracketMatching(),
  json(),
  syntaxHighlighting(highlight),
  theme,
  keymap.of([
    {
      key: "Mod-Enter",
      run: () => {
        latest.current.onSend();
        return true;
      },
    },
    ...lintKeymap,
    ...historyKeymap,
    ...defaultKeymap,
  ]),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({
    "aria-label": label,
    "aria-describedby": "request-state",
  }),
  EditorView.updateListener.of((update) => {
    if (update.docChanged) latest.current.onChange(update.state.doc.toString());
  }),
];

function requestCompletion(inputs: Endpoint["inputs"]): Extension {
  const completions = completionsFor(inputs);
  return autocompletion({
    override: [
      (context) => {
        const word = context.matchBefore(/"[\w-]*/);
        return word ? { from: word.from + 1, options: completions } : null;
      },
    ],
  });
}

function diagnosticOf(
  problem: RequestProblem,
  t: Parameters<typeof problemWords>[0],
  length: number,
): Diagnostic {
  const { from, to, fix } = problem;
  const place = { from: Math.min(from, length), to: Math.min(Math.max(to, from), length) };
  const message = problemWords(t, problem);
  if (!fix) return { ...place, message, severity: "error" };
  const apply = (target: EditorView) =>
    target.dispatch({ changes: { from: fix.from, to: fix.to, insert: fix.insert } });
  return { ...place, message, severity: "error", actions: [{ name: fixWords(t, fix), apply }] };
}
