import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import { messages } from "@/messages/en";
import { filterWords } from "./filter-words";
import { filterQuery, isFiltered, noFilter, pageQuery } from "./list-address";

const nothing = { ...noFilter, sort: "-created", cursor: "", page: 1 };
const t = createTranslator({ locale: "en", messages, namespace: "lists" });
const names = { t, state: (state: string) => state, board: () => "iCEBreaker" };

describe("the filters of a list in words", () => {
  it("are none where the address says nothing, nor where the text is blank", () => {
    expect(filterWords(nothing, names)).toEqual([]);
    expect(isFiltered({ ...nothing, search: "  " })).toBe(false);
  });

  it("name each value, and take away that one alone", () => {
    const address = {
      ...nothing,
      state: ["failed", "timed_out"],
      board: ["icebreaker"],
      label: ["nightly"],
      search: " jets ",
      since: "24h",
    };
    const active = filterWords(address, names);
    expect(active.map(({ words }) => words)).toEqual([
      "text “jets”",
      "failed",
      "timed_out",
      "board iCEBreaker",
      "label “nightly”",
      "last 24 hours",
    ]);
    expect(active[1]?.without).toEqual({ state: ["timed_out"] });
    expect(String(filterQuery(address))).toBe(
      "state=failed&state=timed_out&board=icebreaker&label=nightly&search=jets&since=24h",
    );
  });

  it("are told with an age that the page does not offer, too", () => {
    const [since] = filterWords({ ...nothing, since: "3d" }, names);
    expect(since?.words).toBe("since 3d");
  });

  it("go into the query of a page with its order and place", () => {
    expect(String(pageQuery({ ...nothing, engine: ["onnx"], cursor: "abc", page: 2 }))).toBe(
      "engine=onnx&sort=-created&limit=50&cursor=abc",
    );
  });
});
