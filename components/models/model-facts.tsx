"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import {
  Amount,
  formatCount,
  formatDuration,
  formatShape,
  quantityOfBytes,
  StateMark,
} from "@/components/ui";
import type { Inspection } from "@/lib/common/contract";
import { TensorLine } from "./tensor-line";

/** What was read from a model file: one line, its layers one press away. */
export function ModelFacts({ facts, tookMs }: { facts: Inspection; tookMs: number | null }) {
  const t = useTranslations("library.facts");
  const [open, setOpen] = useState(false);
  const { layers } = facts;
  return (
    <div className="text-dense">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <StateMark
          appearance={{ tone: "ok", label: t("read"), why: "" }}
          label={tookMs === null ? t("read") : t("readIn", { time: formatDuration(tookMs) })}
        />
        <span>
          {facts.firmware ? t("firmware") : facts.format.toUpperCase()},{" "}
          <Amount {...quantityOfBytes(facts.sizeBytes)} />
        </span>
        <Dot />
        <span>
          <TensorLine tensors={facts.inputs} /> → <TensorLine tensors={facts.outputs} />
        </span>
        {facts.firmware ? null : (
          <>
            <Dot />
            <button
              type="button"
              className="text-accent hover:underline"
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            >
              {t("open", { count: layers.length, parameters: formatCount(facts.parameters) })}
            </button>
          </>
        )}
      </p>
      {open ? (
        <table className="table mt-3 max-w-[560px]">
          <thead>
            <tr>
              <th>{t("layer")}</th>
              <th>{t("operator")}</th>
              <th>{t("out")}</th>
              <th className="num">{t("parameters")}</th>
            </tr>
          </thead>
          <tbody>
            {layers.slice(0, 60).map((layer) => (
              <tr key={layer.name}>
                <td className="max-w-40 truncate">
                  <code>{layer.name}</code>
                </td>
                <td>{layer.operator}</td>
                <td>{formatShape(layer.shape)}</td>
                <td className="num">{formatCount(layer.parameters)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </div>
  );
}

const Dot = () => (
  <span aria-hidden="true" className="text-muted">
    ·
  </span>
);
