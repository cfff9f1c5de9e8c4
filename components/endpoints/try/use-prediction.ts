"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { type Prediction, predict, type Refusal, type Target } from "../request/predict";
import { rememberSight } from "../sight";
import type { Labels } from "./use-request-editor";

/** A request as it was sent. */
export interface Asked {
  readonly text: string;
  readonly labels: Labels | null;
  readonly target: Target;
}

/** The last answer, the request that it answers, and what is under way. */
export interface PredictionState {
  readonly answer: Prediction | Refusal | null;
  readonly asked: Asked | null;
  /** Why there was no answer at all. */
  readonly failure: string | null;
  readonly sending: boolean;
}

const idle: PredictionState = { answer: null, asked: null, failure: null, sending: false };

/** Sends requests, one at a time: a new one ends the one before. `onAnswer` hears of each answer. */
export function usePrediction(onAnswer: (asked: Asked, answer: Prediction | Refusal) => void) {
  const [state, setState] = useState(idle);
  const abort = useRef<AbortController | null>(null);
  const heard = useRef(onAnswer);
  heard.current = onAnswer;
  useEffect(() => () => abort.current?.abort(), []);

  const send = useCallback(async (asked: Asked) => {
    abort.current?.abort();
    const controller = new AbortController();
    abort.current = controller;
    setState((before) => ({ ...before, failure: null, sending: true }));
    try {
      const answer = await predict(asked.target, asked.text, controller.signal);
      if (controller.signal.aborted) return;
      setState({ answer, asked, failure: null, sending: false });
      if (answer.ok && answer.timing.cycles !== undefined) rememberSight("cycles");
      heard.current(asked, answer);
    } catch (error) {
      if (controller.signal.aborted) return;
      const failure = error instanceof Error ? error.message : String(error);
      setState({ answer: null, asked, failure, sending: false });
    }
  }, []);
  const stop = useCallback(() => {
    abort.current?.abort();
    setState((before) => ({ ...before, sending: false }));
  }, []);
  /** Shows a request that was sent before, without an answer. */
  const forget = useCallback(() => {
    abort.current?.abort();
    setState(idle);
  }, []);
  return { ...state, send, stop, forget };
}
