"use client";

import { ErrorNote } from "@/components/ui";

export default function ErrorPage({ error, reset }: { error: Error; reset: () => void }) {
  return (
    <>
      <h1 className="mb-4">This page broke</h1>
      <ErrorNote title="Something on this page went wrong." error={error} onRetry={reset} />
    </>
  );
}
