"use client";

import { useAfterLoad } from "@/components/ui";
import type { Build } from "@/lib/common/contract";

const load = async () => (await import("./row-menu")).RowMenu;

/** What can be done to a build of a list, behind one button that is loaded after the page. */
export function RowActions({ build }: { readonly build: Build }) {
  const Menu = useAfterLoad(load);
  return <div className="flex justify-end">{Menu ? <Menu build={build} /> : null}</div>;
}
