"use client";

import "./globals.css";

export default function GlobalError({ reset }: { error: Error; reset: () => void }) {
  return (
    <html lang="en">
      <body className="p-8">
        <h1 className="mb-2">Boardwalk cannot be shown</h1>
        <p className="mb-4">The portal answered, but its frame broke.</p>
        <button type="button" className="btn" onClick={reset}>
          Try again
        </button>
      </body>
    </html>
  );
}
