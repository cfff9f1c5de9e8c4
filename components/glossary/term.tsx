"use client";

import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { afterLoad } from "@/components/ui";
import type { TermId } from "./term-id";

interface TermProps {
  readonly id: TermId;
  readonly children: ReactNode;
}

/**
 * A word with its definition, which opens on hover, on focus and on a press. What floats is loaded after the page; until then the
 * word stands there by itself.
 */
export function Term(props: TermProps) {
  const [Loaded, setLoaded] = useState<ComponentType<TermProps> | null>(null);
  useEffect(() => {
    afterLoad(() => import("./term-popover")).then(
      ({ TermPopover }) => setLoaded(() => TermPopover),
      () => undefined,
    );
  }, []);
  return Loaded ? <Loaded {...props} /> : props.children;
}
