"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";

/** A page that has drawn no heading by then keeps the focus on its beginning. */
const patienceMs = 5000;

/**
 * After a move to another page, gives the focus to that page's heading, where what had it is gone with the page before. Without, a
 * keyboard would begin anew at the top of the document, and a screen reader would say nothing.
 */
export function FocusAfterMove() {
  const pathname = usePathname();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    const main = document.getElementById("main");
    if (!main || !isNowhere(main)) return;
    main.focus({ preventScroll: true });
    return onceDrawn(main, (heading) => {
      if (!isNowhere(main)) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    });
  }, [pathname]);
  return null;
}

const isNowhere = (main: HTMLElement) =>
  document.activeElement === null ||
  document.activeElement === document.body ||
  document.activeElement === main;

/** Hands over the heading of a page as soon as it is there. Answers what ends the waiting. */
function onceDrawn(main: HTMLElement, found: (heading: HTMLElement) => void): () => void {
  const look = () => {
    const heading = main.querySelector<HTMLElement>("h1");
    if (heading) found(heading);
    return heading !== null;
  };
  if (look()) return () => undefined;
  const observer = new MutationObserver(() => {
    if (look()) stop();
  });
  observer.observe(main, { childList: true, subtree: true });
  const timer = setTimeout(() => stop(), patienceMs);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  return stop;
}
