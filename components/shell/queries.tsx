"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { isAppError } from "@/lib/common/errors";

/** Answers that a second try cannot change. */
const isFinal = (error: unknown) =>
  isAppError(error) && error.code !== "unavailable" && error.code !== "internal";

/** Gives pages their query cache. */
export function Queries({ children }: { children: ReactNode }) {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: {
            // The event stream says when something is old; a window that comes back need not ask.
            staleTime: 30_000,
            refetchOnWindowFocus: false,
            retry: (failures, error) => failures < 2 && !isFinal(error),
          },
        },
      }),
  );
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
