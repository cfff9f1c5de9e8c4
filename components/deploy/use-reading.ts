import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { inspectionQuery } from "@/components/models";
import type { Inspection } from "@/lib/common/contract";

const typingPauseMs = 350;

/** How far the reading of a model is. */
export interface Reading {
  readonly facts: Inspection | undefined;
  readonly tookMs: number | null;
  readonly error: unknown;
  readonly pending: boolean;
}

/** What can be read of the model at `url`. A typed address is read once the typing pauses; `readNow` does not wait. */
export function useReading(url: string) {
  const typed = url.trim();
  const [readUrl, setReadUrl] = useState(typed);
  const inspection = useQuery(inspectionQuery(readUrl));
  useEffect(() => {
    const timer = setTimeout(() => setReadUrl(url.trim()), typingPauseMs);
    return () => clearTimeout(timer);
  }, [url]);

  const isCurrent = readUrl === typed;
  const reading: Reading = {
    facts: isCurrent ? inspection.data?.facts : undefined,
    tookMs: inspection.data?.tookMs || null,
    error: isCurrent ? inspection.error : null,
    pending: typed !== "" && !inspection.isError,
  };
  return {
    reading,
    readNow: (now: string) => setReadUrl(now.trim()),
    readAgain: () => void inspection.refetch(),
  };
}
