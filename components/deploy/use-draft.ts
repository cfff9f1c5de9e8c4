"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { z } from "zod";
import {
  boardKindSchema,
  loadsSchema,
  newRevisionSchema,
  presetIds,
  servingSchema,
} from "@/lib/common/contract";
import type { Draft } from "./draft";

/** The answers of a form that nobody has filled in. */
export const freshDraft: Draft = {
  url: "",
  engine: "boardwalk",
  board: { model: "icebreaker", kind: "simulated" },
  settled: false,
  name: "",
  named: false,
  options: {},
  preset: null,
  range: { min: "", max: "", assumedFor: "" },
  calibration: null,
  features: [],
  serving: {},
};

const draftSchema = z.object({
  url: z.string(),
  engine: z.string(),
  board: z
    .union([
      z.object({
        id: z.string(),
        model: z.string(),
        kind: boardKindSchema,
        loads: loadsSchema.optional(),
      }),
      z.object({ model: z.string(), kind: boardKindSchema }),
    ])
    .nullable(),
  settled: z.boolean(),
  name: z.string(),
  named: z.boolean(),
  options: z.record(z.string(), z.unknown()),
  preset: z
    .enum(["usual", ...presetIds])
    .nullable()
    .default(null),
  range: z
    .object({ min: z.string(), max: z.string(), assumedFor: z.string() })
    .default({ min: "", max: "", assumedFor: "" }),
  calibration: z
    .object({
      url: z.string(),
      name: z.string(),
      understood: z.string(),
      inputs: z.number().nullable(),
    })
    .nullable()
    .default(null),
  features: z
    .array(z.object({ name: z.string(), unit: z.string(), min: z.string(), max: z.string() }))
    .default([]),
  serving: servingSchema,
  upload: z.object({ url: z.string(), name: z.string() }).optional(),
  pinned: newRevisionSchema.shape.model.optional(),
});

const keptSchema = z.object({ asks: z.string(), draft: draftSchema });

function keptDraft(key: string): z.infer<typeof keptSchema> | null {
  try {
    return keptSchema.parse(JSON.parse(sessionStorage.getItem(key) ?? "null"));
  } catch {
    return null;
  }
}

/**
 * The draft of this tab. It survives a reload and is forgotten once it was deployed (`change(null)`).
 *
 * @param key Under which it is kept; with `wins`, what was kept goes before the answers to start with.
 */
export function useDraft(start: Partial<Draft>, { key, wins }: { key: string; wins: boolean }) {
  const [draft, setDraft] = useState<Draft>(() => ({ ...freshDraft, ...start }));
  const [isRestored, setRestored] = useState(false);
  const [isEdited, setEdited] = useState(false);
  // What is taken back later goes on from what is there then.
  const latest = useRef(draft);
  const asks = JSON.stringify(start);
  const soughtFor = useRef("");
  const restore = useCallback(() => {
    if (soughtFor.current === `${key} ${asks}`) return;
    soughtFor.current = `${key} ${asks}`;
    const kept = keptDraft(key);
    const begun = JSON.stringify({ ...freshDraft, ...JSON.parse(asks) });
    if (!kept || !(wins || asks === "{}" || kept.asks === asks)) return;
    if (JSON.stringify(kept.draft) === begun) return;
    latest.current = kept.draft;
    setDraft(kept.draft);
    setRestored(true);
  }, [asks, key, wins]);
  // Read after the first paint, since the server knows nothing of it. An address that asks for something else wins.
  useEffect(restore, [restore]);

  const change = (part: Partial<Draft> | null) => {
    // What was typed before the page's scripts ran comes first, and belongs on top of what was kept.
    restore();
    const next = part === null ? { ...freshDraft } : { ...latest.current, ...part };
    setEdited(part !== null);
    if (part !== null) {
      latest.current = next;
      setDraft(next);
    }
    try {
      if (part === null) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, JSON.stringify({ asks, draft: next }));
    } catch {
      // Without storage a draft lives as long as the page.
    }
  };
  return {
    answers: draft,
    change,
    /** Whether what somebody filled in before stands in the form. */
    isRestored,
    /** Whether something was filled in since the page is open, and not sent. */
    isUnsent: isEdited && JSON.stringify(draft) !== JSON.stringify({ ...freshDraft, ...start }),
    /** Begins as the address asks for it. */
    restart: () => {
      change({ ...freshDraft, pinned: undefined, upload: undefined, ...start });
      setRestored(false);
      setEdited(false);
    },
  };
}
