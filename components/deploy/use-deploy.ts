import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { takenNamesQuery } from "@/components/endpoints";
import { type Draft, firstFree, keyOfPick } from "./draft";
import type { FormStart } from "./form-start";
import { presetOn, presetState } from "./presets";
import { suggestedName } from "./suggested-name";
import { useBoardVerdicts } from "./use-board-verdicts";
import { type Choices, useChoices } from "./use-choices";
import { useComplaints } from "./use-complaints";
import { useDraft } from "./use-draft";
import { useReading } from "./use-reading";
import { useSending } from "./use-sending";

/** The answers of the form, what follows from them, and the way to change and to send them. */
export function useDeploy({ draft: start, keep, revisionOf }: FormStart) {
  const { answers, change, ...kept } = useDraft(start, keep);
  const { reading, readNow, readAgain } = useReading(answers.url);
  const choices = useChoices(answers, reading.facts);
  const { engineRefusal } = choices;
  const wanted = answers.named ? answers.name : suggestedName(answers);
  const names = useQuery(takenNamesQuery(wanted)).data?.names ?? [];
  const taken = revisionOf ? [] : names;
  // A name is suggested until somebody types one.
  const draft: Draft = {
    ...answers,
    ...choices.target,
    ...followingOptions(answers, choices),
    name: answers.named ? wanted : firstFree(wanted, taken),
  };

  const verdicts = useBoardVerdicts(draft, reading.facts, choices);
  const complaints = useComplaints(draft, {
    taken,
    facts: reading.facts,
    isUnreadable: reading.error !== null,
    verdict: draft.board ? verdicts.get(keyOfPick(draft.board)) : undefined,
    engine: choices.engine,
    engineRefusal,
    isFirmware: choices.isFirmware,
    isBoardGone: choices.isBoardGone,
  });
  const problems = useRef<HTMLDivElement>(null);
  const { sending, send } = useSending({
    draft,
    revisionOf,
    complaints,
    showProblems: () => setTimeout(() => problems.current?.focus()),
    onSent: () => change(null),
  });
  const edit = (part: Partial<Draft>) => {
    complaints.forgive();
    const isOfOther = "options" in part && choices.target.engine !== answers.engine;
    const settles = "engine" in part || "board" in part || isOfOther;
    const { engine, board, options, preset } = draft;
    change(settles ? { engine, board, options, preset, settled: true, ...part } : part);
  };
  return {
    draft,
    reading,
    choices,
    verdicts,
    complaints,
    problems,
    sending,
    kept,
    edit,
    readNow,
    readAgain,
    submit: () => void send(),
  };
}

/** Options belong to an engine: where another one follows from the model, it begins with the same preset. */
function followingOptions(
  answers: Draft,
  { target, engine, engines }: Choices,
): Partial<Pick<Draft, "options" | "preset">> {
  if (target.engine === answers.engine) return {};
  const before = engines.data?.items.find(({ id }) => id === answers.engine);
  return presetOn(before ? presetState(answers, before).id : "usual", engine);
}
