"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";

const LeaveDialog = dynamic(() => import("./leave-dialog").then((module) => module.LeaveDialog), {
  ssr: false,
});

/** Asks before the form is left with answers that were not sent: by a link, by Back or Forward, by closing the tab. */
export function LeaveGuard({ isOn }: { isOn: boolean }) {
  const router = useRouter();
  /** What goes on once somebody says so. */
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const isLeaving = useRef(false);
  useEffect(() => {
    if (!isOn) return;
    const ask = (go: () => void) =>
      setLeave(() => () => {
        isLeaving.current = true;
        go();
      });
    const onClick = (event: MouseEvent) => {
      const href = isLeaving.current ? null : leadsAway(event);
      if (href === null) return;
      event.preventDefault();
      event.stopPropagation();
      ask(() => router.push(href));
    };
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!isLeaving.current) event.preventDefault();
    };
    const onNavigate = (event: NavigateEvent) => {
      const { key, sameDocument } = event.destination;
      // Pages of elsewhere are asked about by the browser itself.
      if (isLeaving.current || event.navigationType !== "traverse") return;
      if (!event.cancelable || !sameDocument || event.hashChange) return;
      event.preventDefault();
      ask(() => navigation.traverseTo(key));
    };
    // Before React, whose links would go at once.
    document.addEventListener("click", onClick, true);
    window.addEventListener("beforeunload", onUnload);
    // Where a browser cannot hold Back up, the answers wait in the tab all the same.
    const traversals = "navigation" in window ? window.navigation : null;
    traversals?.addEventListener("navigate", onNavigate);
    return () => {
      document.removeEventListener("click", onClick, true);
      window.removeEventListener("beforeunload", onUnload);
      traversals?.removeEventListener("navigate", onNavigate);
    };
  }, [isOn, router]);
  return leave ? <LeaveDialog onLeave={leave} onStay={() => setLeave(null)} /> : null;
}

/** Where a press of a link would lead within the portal, away from this page; null: nowhere, or into another tab. */
function leadsAway(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return null;
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || link.hasAttribute("download")) return null;
  if (link.target !== "" && link.target !== "_self") return null;
  const url = new URL(link.href);
  const { origin, pathname, search } = window.location;
  if (url.origin !== origin || (url.pathname === pathname && url.search === search)) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}
