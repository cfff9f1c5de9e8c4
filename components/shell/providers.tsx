"use client";

import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { LiveProvider, PollingFallback } from "@/components/live";
import { Notices } from "@/components/ui";
import { Queries } from "./queries";

/** Gives all pages their query cache and event stream. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <Queries>
      <NuqsAdapter>
        <LiveProvider>
          <PollingFallback />
          {children}
          <Notices />
        </LiveProvider>
      </NuqsAdapter>
    </Queries>
  );
}
