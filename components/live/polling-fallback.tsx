"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLiveState } from "./live-provider";

const pollMs = 4000;

/** While the stream is away, asks again for what is on the screen every few seconds. */
export function PollingFallback() {
  const client = useQueryClient();
  const state = useLiveState();
  useEffect(() => {
    if (state === "live") return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void client.invalidateQueries();
    }, pollMs);
    return () => clearInterval(timer);
  }, [client, state]);
  return null;
}
