"use client";

import type { ReactNode } from "react";
import { StateMark } from "./state-mark";
import type { Appearance } from "./tone";
import { useAfterLoad } from "./use-after-load";

const load = async () => (await import("./state-popover")).StatePopover;

interface StateButtonProps {
  readonly appearance: Appearance;
  readonly children?: ReactNode;
}

/**
 * A state that opens its "why": what it means, since when, and what to do next. What floats is loaded after the page; until then the
 * state stands there by itself.
 */
export function StateButton(props: StateButtonProps) {
  const Loaded = useAfterLoad<StateButtonProps>(load);
  return Loaded ? <Loaded {...props} /> : <StateMark appearance={props.appearance} />;
}
