"use client";

import type { ReactNode } from "react";
import { useAfterLoad } from "@/components/ui";
import type { TermId } from "./term-id";

const load = async () => (await import("./term-popover")).TermPopover;

interface TermProps {
  readonly id: TermId;
  readonly children: ReactNode;
}

/**
 * A word with its definition, which opens on hover, on focus and on a press. What floats is loaded after the page; until then the
 * word stands there by itself.
 */
export function Term(props: TermProps) {
  const Loaded = useAfterLoad<TermProps>(load);
  return Loaded ? <Loaded {...props} /> : props.children;
}
