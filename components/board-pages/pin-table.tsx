"use client";

import { useTranslations } from "next-intl";
import { formatMhz } from "@/components/ui";
import type { BoardModelDetail } from "@/lib/common/contract";

interface PinRow {
  readonly signal: string;
  readonly pin: string;
  readonly detail: string;
}

/** Which pin of the part is which signal of the board. */
export function PinTable({ model }: { model: BoardModelDetail }) {
  const t = useTranslations("boards.configuration");
  const rows = usePins(model);
  if (rows.length === 0) return <p className="text-muted">{t("pinsNone")}</p>;
  return (
    <table className="table text-dense tablet:max-w-[720px]">
      <caption className="sr-only">{t("pins")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("signal")}</th>
          <th scope="col">{t("pin")}</th>
          <th scope="col">{t("detail")}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ signal, pin, detail }) => (
          <tr key={`${signal} ${pin}`}>
            <th scope="row" className="font-normal! text-text!">
              {signal}
            </th>
            <td>
              <code>{pin}</code>
            </td>
            <td className="text-muted">{detail}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function usePins({ clocks, links, resetPin, leds }: BoardModelDetail): readonly PinRow[] {
  const t = useTranslations("boards.configuration");
  const active = (level: string) =>
    level === "unknown" ? t("activeUnknown") : t("active", { level });
  const uarts = links.filter(({ kind }) => kind === "uart");
  return [
    ...clocks.map(({ name, pin, hz, ioStandard }) => ({
      signal: t("clock", { name, rate: formatMhz(hz) }),
      pin,
      detail: typeof ioStandard === "string" ? ioStandard : "",
    })),
    ...uarts.flatMap((uart) =>
      (["rx", "tx"] as const).map((line) => ({
        signal: t(line),
        pin: String(uart[line]),
        detail: uart["onboard"] === false ? t("header") : "",
      })),
    ),
    ...(resetPin
      ? [{ signal: t("reset"), pin: resetPin.pin, detail: active(resetPin.active) }]
      : []),
    ...leds.map(({ pin, active: level }, index) => ({
      signal: t("led", { number: index + 1 }),
      pin,
      detail: active(level),
    })),
  ];
}
