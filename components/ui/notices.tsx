"use client";

import { type ComponentType, useEffect, useState } from "react";

/** The notices of the moment, at the foot of the page. What shows them is loaded after the page. */
export function Notices() {
  const [List, setList] = useState<ComponentType | null>(null);
  useEffect(() => {
    import("./notice-list").then(
      ({ NoticeList }) => setList(() => NoticeList),
      () => undefined,
    );
  }, []);
  return List ? <List /> : null;
}
