"use client";

import type { Inspection } from "@/lib/common/contract";

export function ForecastPanel(_: {
  url: string;
  facts: Inspection;
  boardModel: string;
  options: Readonly<Record<string, unknown>>;
}) {
  return null;
}
