import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxLineLength } from "./escaper";
import { levelOf } from "./level";
import { createPipeline } from "./pipeline";

const secret = "s3cr+t/Key-ßx";
const linesOf = (input: Uint8Array, cuts: readonly number[] = []) => {
  const pipeline = createPipeline([secret]);
  const marks = [0, ...[...cuts].sort((a, b) => a - b), input.length];
  const lines = marks
    .slice(1)
    .flatMap((to, index) => pipeline.push(input.subarray(marks[index], to)));
  return [...lines, ...pipeline.end()];
};
const linesOfText = (text: string) => linesOf(new TextEncoder().encode(text));

describe("log pipeline", () => {
  it.each([
    ["plain lines", "one\ntwo\n", ["one", "two"]],
    ["an open last line", "one\ntwo", ["one", "two"]],
    ["empty lines", "\n\na\n", ["", "", "a"]],
    ["Windows line ends", "a\r\nb\r\n", ["a", "b"]],
    ["progress, to its last state", "10%\r50%\r100%\ndone\n", ["100%", "done"]],
    ["colours", "\u001b[1;31mred\u001b[0m\n", ["\u001b[1;31mred\u001b[0m"]],
    ["tabs", "a\tb\n", ["a\tb"]],
  ])("keeps %s", (_, input, lines) => {
    expect(linesOfText(input)).toEqual(lines);
  });

  it.each([
    ["cursor moves", "a\u001b[2J\u001b[10;10Hb\n", "ab"],
    ["titles", "a\u001b]0;owned\u0007b\n", "ab"],
    ["links", "\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\\n", "click"],
    ["device strings", "a\u001bP1$r\u001b\\b\n", "ab"],
    ["C1 introducers", "a\u009b31Hb\u009dtitle\u009cc\n", "abc"],
    ["character sets", "a\u001b(0b\n", "ab"],
    ["NUL, bell, backspace", "a\0\u0007\bb\n", "ab"],
    ["private colours", "a\u001b[?25lb\u001b[>4mc\n", "abc"],
    ["a string that never ends, at its line's end", "a\u001b]0;x\nnext\n", "a"],
  ])("drops %s", (_, input, line) => {
    expect(linesOfText(input)[0]).toBe(line);
  });

  it("shows what would turn the direction of reading", () => {
    expect(linesOfText("a\u202eb\u200bc\ufeff\n")).toEqual(["a<U+202E>b<U+200B>c<U+FEFF>"]);
  });

  it("replaces bad UTF-8", () => {
    expect(linesOf(Uint8Array.of(0x61, 0xff, 0xc3, 0x0a))).toEqual(["a\ufffd\ufffd"]);
  });

  it("cuts a line of any length without keeping it", () => {
    const pipeline = createPipeline([]);
    const block = new TextEncoder().encode("x".repeat(1 << 20));
    for (let i = 0; i < 64; i++) expect(pipeline.push(block)).toEqual([]);
    const [line] = pipeline.push(new TextEncoder().encode("\n"));
    expect(line).toHaveLength(maxLineLength + " … (line cut)".length);
  });

  it("cuts no surrogate pair at a line's limit, and leaves none behind a dropped sequence", () => {
    for (const before of [maxLineLength - 1, maxLineLength]) {
      const [line = ""] = linesOfText(`${"x".repeat(before)}😀 and more\n`);
      expect(line).not.toMatch(/\p{Cs}/u);
      expect(line).toMatch(/ … \(line cut\)$/);
    }
    for (const open of ["\u001b", "\u001b[", "\u001b(", "\u001b]0;t\u001b"])
      expect(linesOfText(`a${open}😀b\n`).join("")).not.toMatch(/\p{Cs}/u);
  });
});

describe("log pipeline, with secrets", () => {
  const utf8 = new TextEncoder().encode(secret);
  it.each([
    ["raw", secret],
    ["base64", Buffer.from(secret).toString("base64").replace(/=+$/, "").slice(0, -1)],
    ["base64 after one byte", Buffer.from(`.${secret}`).toString("base64")],
    ["base64 after two bytes", Buffer.from(`..${secret}`).toString("base64url")],
    ["hex", Buffer.from(utf8).toString("hex")],
    ["URL-escaped", encodeURIComponent(secret)],
    ["JSON", JSON.stringify(secret)],
  ])("masks a secret, %s", (_, spelled) => {
    const [line] = linesOfText(`before ${spelled} after\n`);
    expect(line).toContain("[redacted]");
    expect(line).toMatch(/^before .*after$/);
    expect(line).not.toContain(spelled.slice(4, 12));
  });

  it.each([
    "postgres://boardwalk:hunter2@localhost:5432/db",
    "https://x/y?X-Amz-Signature=hunter2abc&z=1",
    "Authorization: Bearer hunter2.abc.def",
    "token bw_pat_hunter2hunter2",
    "-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----",
  ])("masks what looks like a secret: %s", (text) => {
    expect(linesOfText(`${text}\nplain\n`).join("\n")).not.toContain("hunter2");
    expect(linesOfText(`${text}\nplain\n`).at(-1)).toBe("plain");
  });

  it("shows a secret neither before a line's limit nor behind it", () => {
    for (let before = maxLineLength - 20; before <= maxLineLength; before++) {
      const [line = ""] = linesOfText(`${"x".repeat(before)}s3\u001b[1mcr+t/Key-ßx and more\n`);
      expect(line).not.toContain("s3");
      expect(linesOfText(`${secret.repeat(200)}${"x".repeat(before)}${secret}\n`)[0]).not.toContain(
        "s3",
      );
    }
  });

  it.each([
    ["hex with blanks", (hex: string) => hex.replace(/../g, "$& ")],
    ["hex in upper case with colons", (hex: string) => hex.toUpperCase().replace(/../g, "$&:")],
    ["bytes of C", (hex: string) => hex.replace(/../g, "0x$&, ")],
    ["an escaped string", (hex: string) => hex.replace(/../g, "\\x$&")],
    ["a dump in groups of two", (hex: string) => hex.replace(/..../g, "$& ")],
    ["every byte URL-escaped", (hex: string) => hex.replace(/../g, "%$&")],
  ])("masks a secret, %s", (_, spell) => {
    const spelled = spell(Buffer.from(secret).toString("hex"));
    const [line = ""] = linesOfText(`before ${spelled} after\n`);
    expect(line).toMatch(/^before \S{0,3}\[redacted\].* after$/);
    expect(line).not.toContain(spelled.slice(6, 20));
  });
});

describe("log pipeline, of any input", () => {
  it("masks a secret whatever unseen stands inside it, and however the output is cut", {
    timeout: 60_000,
  }, () => {
    const unseen = fc.constantFrom(
      ...[
        "\0",
        "\u0007",
        "\b",
        "\u001b[1;31m",
        "\u001b[0m",
        "\u001b]0;title\u0007",
        "\u001bP1$r\u001b\\",
      ],
      ...["\u001b[2K", "\u001b(0", "\u009b1m", "\u200b", "\u202e", "\u001b]8;;https://x\u001b\\"],
    );
    const word = fc.string({
      unit: fc.constantFrom(..."abcXYZ019+/=._-$^*ßé😀"),
      minLength: 6,
      maxLength: 40,
    });
    fc.assert(
      fc.property(
        word,
        fc.array(fc.tuple(fc.nat(40), unseen), { maxLength: 6 }),
        fc.array(fc.nat(200), { maxLength: 4 }),
        fc.nat(5),
        (planted, inserts, cuts, spelling) => {
          const bytes = Buffer.from(planted);
          const hex = bytes.toString("hex");
          const shown =
            [
              planted,
              hex,
              hex.replace(/../g, "$& "),
              encodeURIComponent(planted),
              bytes.toString("base64"),
            ][spelling] ?? JSON.stringify(planted);
          const points = [...shown];
          for (const [at, text] of inserts) points.splice(at % (points.length + 1), 0, text);
          const input = Buffer.from(`left ${points.join("")} right\n`);
          const marks = [
            0,
            ...cuts.map((cut) => Math.min(cut, input.length)).sort((a, b) => a - b),
            input.length,
          ];
          const pipeline = createPipeline([planted]);
          const lines = marks
            .slice(1)
            .flatMap((to, index) => pipeline.push(input.subarray(marks[index], to)));
          const seen = [...lines, ...pipeline.end()]
            .join("\n")
            .replace(/\u001b\[[0-9;:]*m|<U\+[0-9A-F]{4}>/g, "");
          expect(seen).toMatch(/^left .*\[redacted\].* right$/);
          // Of base64 the last character depends on what follows as well.
          expect(seen).not.toContain(shown.replace(/=+$/, "").slice(0, -1));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("gives the same lines however the input is cut", () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 12 }),
      fc
        .constantFrom(
          "\r\n",
          "\r",
          "\n",
          "\u001b[31m",
          "\u001b]0;t\u0007",
          "\u202e",
          "é€😀",
          secret,
        )
        .map((text) => new TextEncoder().encode(text)),
      fc.constant(new TextEncoder().encode(Buffer.from(`a${secret}`).toString("base64"))),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat(400)), (pieces, places) => {
        const input = new Uint8Array(Buffer.concat(pieces));
        const cuts = places.map((place) => Math.min(place, input.length));
        expect(linesOf(input, cuts)).toEqual(linesOf(input));
        const each = Array.from(input, (_, index) => index);
        expect(linesOf(input, each)).toEqual(linesOf(input));
      }),
      { numRuns: 300 },
    );
  });
});

describe("levelOf", () => {
  it.each([
    ["Warning: wire is used but has no driver", "warning"],
    ["core.v:12: Warning: range", "warning"],
    ["firmware/top.cpp:12:3: error: expected a primary-expression", "error"],
    ["firmware/top.cpp:12:3: note: declared here", "info"],
    ["ERROR: Max frequency not met", "error"],
    ["\u001b[31mERROR: no\u001b[0m", "error"],
    ["%Warning-WIDTH: x", "warning"],
    ["Info: 0 errors", "info"],
    ["errors: none", "info"],
  ])("calls %j %s", (line, level) => {
    expect(levelOf(line)).toBe(level);
  });
});
