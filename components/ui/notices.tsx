"use client";

import { useAfterLoad } from "./use-after-load";

const load = async () => (await import("./notice-list")).NoticeList;

/** The notices of the moment, at the foot of the page. What shows them is loaded after the page. */
export function Notices() {
  const List = useAfterLoad(load);
  return List ? <List /> : null;
}
