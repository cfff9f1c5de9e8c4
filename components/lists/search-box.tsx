"use client";

import { useEffect, useState } from "react";

const settleMs = 250;

/** What is typed is searched for once the typing pauses, and at once on Enter. */
export function SearchBox({
  text,
  placeholder,
  onSearch,
}: {
  readonly text: string;
  readonly placeholder: string;
  readonly onSearch: (text: string) => void;
}) {
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed === text) return;
    const timer = setTimeout(() => onSearch(typed), settleMs);
    return () => clearTimeout(timer);
  }, [typed, text, onSearch]);
  return (
    <input
      type="search"
      aria-label={placeholder}
      placeholder={placeholder}
      maxLength={200}
      className="field h-8 text-dense tablet:w-64"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") onSearch(typed);
      }}
    />
  );
}
