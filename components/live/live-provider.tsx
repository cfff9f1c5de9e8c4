"use client";

import { useQueryClient } from "@tanstack/react-query";
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";
import { setOutdated } from "@/components/ui";
import { Gather } from "./gather";
import { isHeld } from "./hold-queries";
import { queryKeysOf } from "./query-keys";
import { type LiveState, LiveStream } from "./stream";

const StreamContext = createContext<LiveStream | null>(null);

const hiddenMs = 30_000;

/** Holds the tab's event stream: changes refresh the query cache, a hidden tab lets go after 30 s and resumes when seen. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [stream] = useState(() => {
    const old = new Gather<readonly string[]>((queryKey) => {
      if (!isHeld(queryKey)) void client.invalidateQueries({ queryKey });
    });
    return new LiveStream({
      url: "/api/v1/events",
      onChange: (change) => {
        for (const queryKey of queryKeysOf(change)) old.ask(queryKey);
      },
      onGap: () => void client.invalidateQueries({}, { cancelRefetch: false }),
    });
  });

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let sleeping = false;
    const onVisibility = () => {
      clearTimeout(timer);
      if (document.visibilityState === "hidden") {
        timer = setTimeout(() => {
          sleeping = true;
          stream.close();
        }, hiddenMs);
      } else if (sleeping) {
        sleeping = false;
        stream.connect();
      }
    };
    // An open stream outlives the loss of a network unseen: asking anew tells. A portal on this very machine still answers.
    const onNetwork = () => {
      tellAge();
      if (!sleeping) stream.connect();
    };
    const tellAge = () => setOutdated(stream.getState() === "stale" || !navigator.onLine);
    const unsubscribe = stream.subscribe(tellAge);
    tellAge();
    stream.connect();
    document.addEventListener("visibilitychange", onVisibility);
    window.addEventListener("offline", onNetwork);
    window.addEventListener("online", onNetwork);
    return () => {
      clearTimeout(timer);
      unsubscribe();
      window.removeEventListener("offline", onNetwork);
      window.removeEventListener("online", onNetwork);
      document.removeEventListener("visibilitychange", onVisibility);
      stream.close();
    };
  }, [stream]);

  return <StreamContext value={stream}>{children}</StreamContext>;
}

/** The page's one event stream. @throws {Error} Outside of a `LiveProvider`. */
export function useLiveStream(): LiveStream {
  const stream = useContext(StreamContext);
  if (!stream) throw new Error("LiveProvider is missing");
  return stream;
}

/** Whether the event stream is open; redraws when that changes. */
export function useLiveState(): LiveState {
  const stream = useLiveStream();
  return useSyncExternalStore(stream.subscribe, stream.getState, () => "connecting");
}
