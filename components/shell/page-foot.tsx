"use client";

import dynamic from "next/dynamic";
import { Suspense } from "react";
import { afterLoad } from "@/components/ui";

const PageTwin = dynamic(
  () => afterLoad(() => import("./page-twin")).then((module) => module.PageTwin),
  { ssr: false },
);

/** The end of every page: its twin, which is loaded after the page. */
export function PageFoot() {
  return (
    <footer className="max-w-[1264px] border-t border-line px-4 pt-4 pb-10 print:hidden tablet:px-8">
      <Suspense>
        <PageTwin />
      </Suspense>
    </footer>
  );
}
