"use client";

import { type ComponentType, useEffect, useState } from "react";
import { afterLoad } from "./after-load";

/** The notices of the moment, at the foot of the page. What shows them is loaded after the page. */
export function Notices() {
  const [List, setList] = useState<ComponentType | null>(null);
  useEffect(() => {
    afterLoad(() => import("./notice-list")).then(
      ({ NoticeList }) => setList(() => NoticeList),
      () => undefined,
    );
  }, []);
  return List ? <List /> : null;
}
