"use client";

import { parseAsString, useQueryState } from "nuqs";
import { useEffect, useRef, useState } from "react";
import type { Endpoint } from "@/lib/common/contract";
import { predictProtocolSchema } from "@/lib/common/contract";
import { getRecordedRequest } from "../api";
import type { HistoryEntry } from "../history/history-entry";
import type { RequestHistory } from "../history/use-history";

/** A request that an address leads to. */
export interface OpenedRequest extends Pick<HistoryEntry, "revision" | "protocol" | "labels"> {
  readonly text: string;
}

/**
 * Opens the request that the address names: of this browser's history, else as the server recorded it. `missing` says that
 * neither keeps it.
 */
export function usePermalink(
  { name }: Pick<Endpoint, "name">,
  history: RequestHistory,
  onOpen: (request: OpenedRequest) => void,
) {
  const [id, setId] = useQueryState("request", parseAsString);
  const [missing, setMissing] = useState(false);
  const opened = useRef<string | null>(null);
  const latest = useRef({ history, onOpen });
  latest.current = { history, onOpen };
  useEffect(() => {
    if (id === null || opened.current === id) return;
    opened.current = id;
    let isGone = false;
    void (async () => {
      const kept = latest.current.history.find(id);
      const found = kept ? ofEntry(kept) : await recorded(name, id);
      if (isGone) return;
      setMissing(found === null);
      if (found) latest.current.onOpen(found);
    })();
    return () => {
      isGone = true;
      if (opened.current === id) opened.current = null;
    };
  }, [id, name]);
  return {
    missing: id !== null && missing,
    open: (next: string | null) => {
      if (next === opened.current) opened.current = null;
      void setId(next);
    },
    /** What was just sent is what the address leads to from now on; there is nothing to open. */
    follow: (next: string) => {
      opened.current = next;
      setMissing(false);
      void setId(next);
    },
  };
}

const ofEntry = ({ text, revision, protocol, labels }: HistoryEntry): OpenedRequest | null =>
  text === null ? null : { text, revision, protocol, labels };

async function recorded(name: string, id: string): Promise<OpenedRequest | null> {
  try {
    const { body, revision, protocol } = await getRecordedRequest(name, id);
    if (!body) return null;
    return {
      text: body,
      revision: revision ?? null,
      protocol: predictProtocolSchema.safeParse(protocol).data ?? "json",
      labels: null,
    };
  } catch {
    return null;
  }
}
