"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type ComponentType, useEffect, useState } from "react";
import { isAppError } from "@/lib/common/errors";

/** Whether an answer says that nobody is signed in. */
const isSignedOut = (error: unknown) => isAppError(error) && error.reason === "UNAUTHENTICATED";

/** Asks for the password, over the page as it is, once an answer says that nobody is signed in any more. */
export function SessionWatch() {
  const client = useQueryClient();
  const [Ended, setEnded] = useState<ComponentType<{ onBack: () => void }> | null>(null);
  useEffect(() => {
    const look = (error: unknown) => {
      if (!isSignedOut(error)) return;
      void import("./session-ended").then(({ SessionEnded }) => setEnded(() => SessionEnded));
    };
    const ends = [
      // What failed just now alone: a query keeps its error until it has been asked again.
      client.getQueryCache().subscribe((event) => {
        if (event.type === "updated" && event.action.type === "error") look(event.action.error);
      }),
      client.getMutationCache().subscribe((event) => {
        // Whoever signs in with a wrong password is told so where they did.
        if (event.type !== "updated" || event.mutation.options.meta?.["signsIn"]) return;
        if (event.action.type === "error") look(event.action.error);
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [client]);
  return Ended ? <Ended onBack={() => setEnded(null)} /> : null;
}
