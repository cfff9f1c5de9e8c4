"use client";

import { Popover } from "@base-ui/react/popover";
import type { ReactNode } from "react";
import { StateMark } from "./state-mark";
import type { Appearance } from "./tone";

/** The whole of `StateButton`, once it is loaded. */
export function StatePopover({
  appearance,
  children,
}: {
  appearance: Appearance;
  children?: ReactNode;
}) {
  return (
    <Popover.Root>
      <Popover.Trigger className="rounded-control decoration-dotted underline-offset-4 hover:underline">
        <StateMark appearance={appearance} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} align="start" className="z-40">
          <Popover.Popup className="float max-w-[min(360px,calc(100vw-32px))] p-4 text-dense">
            <Popover.Title className="mb-1 text-body font-strong">{appearance.label}</Popover.Title>
            <Popover.Description>{appearance.why}</Popover.Description>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
