"use client";

import { useTranslations } from "next-intl";
import { useId, useRef, useState } from "react";
import { CopyButton, saveFile, TerminalCommand, ToneIcon, useOrigin } from "@/components/ui";
import type { EngineSummary } from "@/lib/common/contract";
import { isRecord } from "@/lib/common/records";
import { deployCommand } from "./deploy-command";
import type { Draft } from "./draft";
import { contentOf } from "./draft-of-content";
import { FileButton } from "./file-button";
import { FormDialog } from "./form-dialog";
import { mostYamlBytes, readYaml, type YamlDeploy, type YamlProblem, yamlOf } from "./read-yaml";

/** The form as YAML, to copy, to save and to edit; and YAML of elsewhere into the form. */
export function YamlDialog({
  draft,
  endpoint,
  engines,
  boards,
  onTake,
  onClose,
}: {
  draft: Draft;
  /** The one that gets a further revision; null: a new one is made. */
  endpoint: string | null;
  engines: readonly EngineSummary[];
  /** Ids of models of boards. */
  boards: readonly string[];
  onTake: (deploy: YamlDeploy) => void;
  onClose: () => void;
}) {
  const t = useTranslations("deploy.yaml");
  const origin = useOrigin();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() =>
    yamlOf({ name: draft.name || undefined, content: contentOf(draft) }),
  );
  const [problems, setProblems] = useState<readonly YamlProblem[]>([]);
  const known = {
    engines: engines.map((engine) => ({ id: engine.id, options: optionNames(engine) })),
    boards,
  };
  const take = () => {
    const read = readYaml(text, known);
    if ("deploy" in read) onTake(read.deploy);
    else {
      setProblems(read.problems);
      setTimeout(() => document.getElementById(`${id}-problems`)?.focus());
    }
  };
  return (
    <FormDialog
      title={t("title")}
      text={t("text")}
      onClose={onClose}
      actions={
        <button type="button" className="btn btn-primary" onClick={take}>
          {t("take")}
        </button>
      }
    >
      {problems.length > 0 ? (
        <div
          role="alert"
          id={`${id}-problems`}
          tabIndex={-1}
          className="mb-3 border-l-2 border-bad py-1 pl-4 text-dense outline-none"
        >
          <p className="font-strong">{t("wrong", { count: problems.length })}</p>
          <ul>
            {problems.map((problem) => (
              <li key={JSON.stringify(problem)} className="flex items-baseline gap-2">
                <ToneIcon tone="bad" />
                <span className="min-w-0 break-words">
                  <button
                    type="button"
                    className="min-h-6 text-accent hover:underline"
                    onClick={() => showLine(area.current, problem.line)}
                  >
                    {t("line", { line: problem.line })}
                  </button>{" "}
                  {t(`problems.${problem.key}`, problem.values)}
                </span>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <label htmlFor={id} className="sr-only">
        {t("area")}
      </label>
      <textarea
        id={id}
        ref={area}
        className="field h-[min(44vh,380px)] w-full resize-y py-2 font-mono text-dense leading-5"
        wrap="off"
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        aria-invalid={problems.length > 0}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setProblems([]);
        }}
      />
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <FileButton
          label={t("file")}
          accept=".yaml,.yml,.txt"
          className="btn btn-dense"
          onChoose={(file) => {
            // More than may be read need not be read to be refused.
            void file
              .slice(0, mostYamlBytes + 1)
              .text()
              .then((read) => {
                setText(read);
                setProblems([]);
                area.current?.focus();
              });
          }}
        >
          {t("choose")}
        </FileButton>
        <CopyButton text={text} label={t("copyAll")} className="btn btn-dense" />
        <button
          type="button"
          className="btn btn-dense"
          onClick={() =>
            saveFile(`${draft.name || "deploy"}.yaml`, text, "application/yaml;charset=utf-8")
          }
        >
          {t("download")}
        </button>
      </div>
      <div className="mt-3">
        <TerminalCommand title={t("terminal")} command={deployCommand(draft, origin, endpoint)} />
      </div>
    </FormDialog>
  );
}

function optionNames({ optionsSchema }: EngineSummary): readonly string[] | null {
  const { properties } = optionsSchema;
  return isRecord(properties) ? Object.keys(properties) : null;
}

/** Marks a line, counted from 1, and brings it into view. */
function showLine(area: HTMLTextAreaElement | null, line: number): void {
  if (!area) return;
  const lines = area.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  area.scrollTop = Math.max(0, (line - 4) * (area.scrollHeight / Math.max(1, lines.length)));
}
