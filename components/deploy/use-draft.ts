"use client";

import { useEffect, useState } from "react";
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
  serving: servingSchema,
  upload: z.object({ url: z.string(), name: z.string() }).optional(),
  pinned: newRevisionSchema.shape.model.optional(),
});

function keptDraft(key: string): Draft | null {
  try {
    return draftSchema.parse(JSON.parse(sessionStorage.getItem(key) ?? "null"));
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
  // Read after the first paint, since the server knows nothing of it. An address that asks for something wins.
  const asked = Object.keys(start).length > 0 && !wins;
  useEffect(() => {
    const kept = asked ? null : keptDraft(key);
    if (kept) setDraft(kept);
  }, [asked, key]);

  const change = (part: Partial<Draft> | null) => {
    const next = part === null ? { ...freshDraft } : { ...draft, ...part };
    if (part !== null) setDraft(next);
    try {
      if (part === null) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, JSON.stringify(next));
    } catch {
      // Without storage a draft lives as long as the page.
    }
  };
  return [draft, change] as const;
}
