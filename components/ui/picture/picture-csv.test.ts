import { expect, it } from "vitest";
import { type PictureColumn, wordsOf } from "./columns";
import { pictureCsv } from "./picture-csv";

interface Layer {
  readonly name: string;
  readonly share: number | null;
}

const columns: readonly PictureColumn<Layer>[] = [
  { id: "name", label: "Layer", value: ({ name }) => name },
  {
    id: "share",
    label: "Share",
    value: ({ share }) => share,
    show: ({ share }) => (share === null ? "–" : `${Math.round(share * 100)} %`),
  },
];

it("writes what is stored, not what is shown, and no formula from a name", () => {
  const rows = [
    { name: "=HYPERLINK(1)", share: 1 / 3 },
    { name: 'a,"b"', share: null },
    { name: "fine", share: -0.5 },
  ];
  expect(pictureCsv(columns, rows)).toBe(
    `name,share\r\n'=HYPERLINK(1),${1 / 3}\r\n"a,""b""",\r\nfine,-0.5\r\n`,
  );
});

it("tells a point in words as its table does", () => {
  expect(wordsOf(columns, { name: "hidden", share: 0.25 })).toBe("Layer hidden, Share 25 %");
});
