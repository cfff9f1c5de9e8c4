import { useMemo } from "react";
import { keysOf, recordOf } from "@/lib/common/records";
import type { Appearance, Tone } from "./tone";

/**
 * How each of some states looks, in the reader's language.
 *
 * @param tones How each state feels, the same object at each call.
 * @param say Texts of the states, `{ ready: { label, why } }`, as `useTranslations` gives them.
 */
export function useAppearances<State extends string>(
  tones: Readonly<Record<State, Tone>>,
  say: (key: `${State}.label` | `${State}.why`) => string,
): Readonly<Record<State, Appearance>> {
  return useMemo(
    () =>
      recordOf<State, Appearance>(keysOf(tones), (state) => ({
        tone: tones[state],
        label: say(`${state}.label`),
        why: say(`${state}.why`),
      })),
    [tones, say],
  );
}
