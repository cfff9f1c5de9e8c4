import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { takenNamesQuery } from "@/components/endpoints";
import { type Draft, firstFree, keyOfPick } from "./draft";
import type { FormStart } from "./form-start";
import { suggestedName } from "./suggested-name";
import { useBoardVerdicts } from "./use-board-verdicts";
import { useChoices } from "./use-choices";
import { useComplaints } from "./use-complaints";
import { useDraft } from "./use-draft";
import { useReading } from "./use-reading";
import { useSending } from "./use-sending";

/** The answers of the form, what follows from them, and the way to change and to send them. */
export function useDeploy({ draft: start, keep, revisionOf }: FormStart) {
  const [answers, change] = useDraft(start, keep);
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
    const settles = "engine" in part || "board" in part;
    change(settles ? { ...choices.target, settled: true, ...part } : part);
  };
  return {
    draft,
    reading,
    choices,
    verdicts,
    complaints,
    problems,
    sending,
    edit,
    readNow,
    readAgain,
    submit: () => void send(),
  };
}
