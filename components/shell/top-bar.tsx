"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useEffect, useState } from "react";
import { runningBuildsQuery } from "@/components/builds";
import { LiveMarker } from "@/components/live";
import { type Theme, ThemeToggle } from "./theme-toggle";

const Palette = dynamic(() => import("./palette").then((module) => module.Palette), { ssr: false });

/** Search, what is building, whether the page is live, and the theme. */
export function TopBar({ theme }: { theme: Theme }) {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  const running = useQuery(runningBuildsQuery()).data ?? 0;

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setWanted(true);
      setOpen((was) => !was);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);

  return (
    <header className="flex items-center gap-4 border-b border-line px-4 py-2.5 tablet:px-8 tablet:py-3">
      <button
        type="button"
        onClick={() => {
          setWanted(true);
          setOpen(true);
        }}
        className="flex h-9 min-w-0 flex-1 items-center justify-between gap-2 rounded-control border border-line bg-surface px-3 text-left text-muted hover:border-line-strong tablet:max-w-[360px]"
      >
        <span className="truncate">Search or jump to…</span>
        <kbd className="max-tablet:hidden">Ctrl K</kbd>
      </button>
      <div className="flex-1 max-tablet:hidden" />
      {running > 0 ? (
        <Link href="/builds" className="text-dense whitespace-nowrap max-tablet:hidden">
          {running} building
        </Link>
      ) : null}
      <LiveMarker />
      <ThemeToggle initial={theme} />
      {wanted ? <Palette open={open} onOpenChange={setOpen} /> : null}
    </header>
  );
}
