"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Age } from "./age";

interface StateWhyProps {
  /** Since when it is in this state; undefined: nobody knows, or not yet. */
  readonly since: string | null | undefined;
  /** What to do next, and where; left out on that very page. */
  readonly next: { readonly href: string; readonly label: string } | null;
  /** Why it is in this state, as far as something said so. */
  readonly children?: ReactNode;
}

/** What a state's popover says below its meaning: why, since when, and the next step. */
export function StateWhy({ since, next, children }: StateWhyProps) {
  const t = useTranslations("ui.state");
  const pathname = usePathname();
  return (
    <>
      {children}
      {since ? (
        <p className="mt-2 text-muted">{t.rich("since", { age: () => <Age time={since} /> })}</p>
      ) : null}
      {next && next.href !== pathname ? (
        <p className="mt-2">
          <Link href={next.href}>{next.label}</Link>
        </p>
      ) : null}
    </>
  );
}
