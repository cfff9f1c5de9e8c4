import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Takes over what was typed into a field before the page's scripts ran, as it is on a slow connection: the page would write its
 * own value over it.
 *
 * @param value What the page holds for the field.
 * @returns What the field is to have as its `ref`.
 */
export function useTypedEarly(
  value: string,
  onType: (text: string) => void,
): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  const first = useRef({ value, onType });
  useLayoutEffect(() => {
    const typed = field.current?.value ?? "";
    if (typed !== "" && typed !== first.current.value) first.current.onType(typed);
  }, []);
  return field;
}
