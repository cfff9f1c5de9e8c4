"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { type ReactNode, useState } from "react";
import { LiveProvider, PollingFallback } from "@/components/live";
import { Notices } from "@/components/ui";
import { isAppError } from "@/lib/common/errors";

/** Answers that a second try cannot change. */
const isFinal = (error: unknown) =>
  isAppError(error) && error.code !== "unavailable" && error.code !== "internal";

/** Gives all pages their query cache and event stream. */
export function Providers({ children }: { children: ReactNode }) {
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
  return (
    <QueryClientProvider client={client}>
      <NuqsAdapter>
        <LiveProvider>
          <PollingFallback />
          {children}
          <Notices />
        </LiveProvider>
      </NuqsAdapter>
    </QueryClientProvider>
  );
}
