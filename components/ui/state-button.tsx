"use client";

import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { afterLoad } from "./after-load";
import { StateMark } from "./state-mark";
import type { Appearance } from "./tone";

interface StateButtonProps {
  readonly appearance: Appearance;
  readonly children?: ReactNode;
}

/**
 * A state that opens its "why": what it means, since when, and what to do next. What floats is loaded after the page; until then the
 * state stands there by itself.
 */
export function StateButton(props: StateButtonProps) {
  const [Loaded, setLoaded] = useState<ComponentType<StateButtonProps> | null>(null);
  useEffect(() => {
    afterLoad(() => import("./state-popover")).then(
      ({ StatePopover }) => setLoaded(() => StatePopover),
      () => undefined,
    );
  }, []);
  return Loaded ? <Loaded {...props} /> : <StateMark appearance={props.appearance} />;
}
