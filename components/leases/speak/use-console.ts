"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { getJson, postJson } from "@/lib/common/api-client";
import { keptLine, type LeaseConsole, leaseConsoleSchema } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { fromBase64, toBase64 } from "./to-base64";

/** Bytes that passed on the line at a moment. */
export interface ShownChunk {
  readonly seq: number;
  readonly toBoard: boolean;
  readonly at: string;
  readonly bytes: Uint8Array;
  readonly isAfterGap: boolean;
}

const lookAgainMs = 1000;
/** A board server that was started again looks at no line before it is asked to. */
const openAgainMs = 15_000;

/** The line of a leased board as a page sees it: what passed while it is looked at, and a way to send. */
export function useConsole(leaseId: string) {
  const [chunks, setChunks] = useState<readonly ShownChunk[]>([]);
  const newest = useRef(0);
  const url = `/api/v1/leases/${leaseId}/console`;

  const take = useCallback((window: LeaseConsole): LeaseConsole => {
    const fresh = window.items.filter(({ seq }) => seq > newest.current);
    newest.current = Math.max(newest.current, window.newest);
    if (fresh.length > 0)
      setChunks((before) =>
        newestOf([...before, ...fresh.map((each) => ({ ...each, bytes: fromBase64(each.bytes) }))]),
      );
    return window;
  }, []);

  const put = useCallback(
    async (bytes: Uint8Array): Promise<LeaseConsole> => {
      const body = { bytes: toBase64(bytes), after: newest.current };
      return take(await postJson(url, body, leaseConsoleSchema));
    },
    [url, take],
  );

  const send = useMutation({ mutationFn: put });
  const look = useQuery({
    queryKey: ["lease-console", leaseId],
    queryFn: async ({ signal }) =>
      take(await getJson(`${url}?after=${newest.current}`, leaseConsoleSchema, { signal })),
    refetchInterval: ({ state }) => (isOver(state.error) ? false : lookAgainMs),
    retry: false,
    gcTime: 0,
  });
  const load = look.data?.load ?? null;
  const open = useMutation({ mutationFn: () => put(new Uint8Array(0)) });
  const { mutate } = open;
  useEffect(() => {
    if (load === null) return;
    mutate();
    const timer = setInterval(() => mutate(), openAgainMs);
    return () => clearInterval(timer);
  }, [load, mutate]);

  const isEnded = isOver(look.error);
  return {
    chunks,
    clear: () => setChunks([]),
    send,
    isEnded,
    /** Whether something is loaded that bytes can be sent to. */
    isOpen: load !== null && !isEnded,
    problem: isEnded ? null : (open.error ?? look.error),
  };
}

const isOver = (error: unknown): boolean =>
  isAppError(error) && ["LEASE_OVER", "NOT_FOUND", "FORBIDDEN"].includes(error.reason);

/** No more than the portal keeps. */
function newestOf(chunks: readonly ShownChunk[]): readonly ShownChunk[] {
  let bytes = 0;
  let from = chunks.length;
  while (from > 0 && chunks.length - from < keptLine.chunks) {
    bytes += chunks[from - 1]?.bytes.length ?? 0;
    if (bytes > keptLine.bytes) break;
    from--;
  }
  return chunks.slice(from);
}
