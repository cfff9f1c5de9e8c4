import type { Random } from "@/compiler/random";
import { chance, pick } from "../random-of";

/** Loopback, private, link-local and other places that no model comes from, in many spellings. */
const forbiddenHosts: readonly string[] = [
  "127.0.0.1",
  "127.1",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0177.0.0.1",
  "0",
  "0.0.0.0",
  "127.0.0.1.",
  "１２７.0.0.1",
  "①②⑦.0.0.1",
  "localhost",
  "LOCALHOST",
  "localhost.",
  "a.localhost",
  "printer.local",
  "nas.home.arpa",
  "intranet",
  "10.0.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[64:ff9b:1::7f00:1]",
  "[2002:7f00:1::]",
  "[2001:0:7f00:1::]",
  "[fe80::1]",
  "[fe80::1%25lo]",
  "[fc00::1]",
  "[ff02::1]",
  "[2001:db8::1]",
  "%31%32%37.0.0.1",
  "127。0。0。1",
];
const schemes = [
  "https",
  "https",
  "https",
  "http",
  "HTTPS",
  "file",
  "ftp",
  "gopher",
  "data",
  "ws",
  "",
];
const paths = [
  "/m.onnx",
  "",
  "/",
  "/../../etc/passwd",
  "/%00",
  "/%2e%2e/%2f",
  "/?q=1",
  "/#x",
  "\\x",
  "/ü",
  "/\u202e",
  "/a b",
  "/\ud800",
  `/${"x".repeat(3000)}`,
];
const users = ["", "", "", "user@", "user:secret@", "@", "127.0.0.1@", "%40"];

/**
 * An address as a person, or a server that leads on, may write it; none that could reach the public.
 *
 * @param listed `host:port` that may be fetched from.
 * @param sink A port of this machine where nobody may connect to.
 */
export function oddUrl(random: Random, { listed, sink }: { listed: string; sink: number }): string {
  if (chance(6, random)) return `s3://${pick(stores, random)}`;
  const host = chance(4, random)
    ? listed
    : `${chance(4, random) ? "models.example.org" : pick(forbiddenHosts, random)}${pick(["", "", `:${sink}`, ":443", ":0", ":99999", ":"], random)}`;
  const slashes = chance(10, random) ? pick(["/", "///", "\\\\", ""], random) : "//";
  const scheme = pick(schemes, random);
  const url = `${scheme}${scheme === "" ? "" : ":"}${slashes}${pick(users, random)}${host}${pick(paths, random)}`;
  return chance(10, random) ? withOddCharacter(url, random) : url;
}

/** Where a server leads on to: an address, or a part of one. */
export function oddLocation(random: Random, places: { listed: string; sink: number }): string {
  if (!chance(3, random)) return oddUrl(random, places);
  return pick(
    [
      "/m",
      "?x",
      "",
      `//127.0.0.1:${places.sink}/m`,
      `///127.0.0.1:${places.sink}`,
      `/\\127.0.0.1:${places.sink}/m`,
      `\\\\127.0.0.1:${places.sink}`,
      `https:127.0.0.1:${places.sink}`,
      "..//../",
      "x".repeat(9000),
      "javascript:alert(1)",
    ],
    random,
  );
}

const stores = [
  "boardwalk-samples/none.onnx",
  "boardwalk-samples/../artifacts/a",
  "boardwalk-samples/",
  "artifacts/abc",
  "logs/a",
  "uploads-0192f0c1-2d3e-7a4b-8c5d-000000000000/abc",
  "/x",
  "a/\u0000",
  "a@b/c",
  "boardwalk-samples/%2e%2e/x",
  "boardwalk-samples//x",
  "boardwalk-samples?x",
  "BOARDWALK-SAMPLES/x",
];

function withOddCharacter(url: string, random: Random): string {
  const at = random.integer(0, url.length);
  const odd = pick(
    ["\0", "\t", "\n", " ", "\\", "@", "#", "%", "\u00ad", "\u3002", "\ud800"],
    random,
  );
  return url.slice(0, at) + odd + url.slice(at);
}
