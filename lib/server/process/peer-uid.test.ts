import { describe, expect, it } from "vitest";
import { uidIn } from "./peer-uid";

// Recorded on Linux 6: two ends of each connection, a listener, and a socket whose process had left.
const head =
  "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";
const tcp = `${head}
   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 25464 1 000000001a49a0a4 100 0 0 10 0
   1: 0100007F:D431 0100007F:0BB8 01 00000000:00000000 00:00000000 00000000  1000        0 40001 1 0000000000000000 20 4 30 10 -1
   2: 0100007F:0BB8 0100007F:D431 01 00000000:00000000 02:000AFC80 00000000     0        0 40002 2 0000000000000000 20 4 30 10 -1
   3: 0100007F:D432 0100007F:0BB8 04 00000001:00000000 01:00000014 00000000     0        0 0 2 0000000000000000 20 4 30 10 -1
   4: 0100007F:D433 0100007F:0BB8 06 00000000:00000000 03:00001770 00000000     0        0 0 3 0000000000000000
   5: 0200007F:D434 0100007F:0BB8 01 00000000:00000000 00:00000000 00000000 65534        0 40009 1 0000000000000000 20 4 30 10 -1
`;
const tcp6 = `${head.replace("rem", "remote")}
   0: 00000000000000000000000001000000:D435 00000000000000000000000001000000:0BB8 01 00000000:00000000 00:00000000 00000000  1001        0 50001 1 0000000000000000 20 4 30 10 -1
   1: 0000000000000000FFFF00000100007F:D436 0000000000000000FFFF00000100007F:0BB8 01 00000000:00000000 00:00000000 00000000  1002        0 50002 1 0000000000000000 20 4 30 10 -1
   2: B80D0120000000000000000034120000:D437 B80D0120000000000000000078560000:0BB8 01 00000000:00000000 00:00000000 00000000  1003        0 50003 1 0000000000000000 20 4 30 10 -1
`;

const find = (table: string, address: string, port: number, other = "127.0.0.1") =>
  uidIn(table, { own: { address, port }, other: { address: other, port: 3000 } }, true);

describe("the user at the other end", () => {
  it.each([
    ["127.0.0.1", 0xd431, "127.0.0.1", tcp, 1000, "IPv4"],
    [
      "::ffff:127.0.0.1",
      0xd431,
      "::ffff:127.0.0.1",
      tcp,
      1000,
      "a server of IPv6, a client of IPv4",
    ],
    ["127.0.0.2", 0xd434, "127.0.0.1", tcp, 65_534, "another address of the loopback net"],
    ["::1", 0xd435, "::1", tcp6, 1001, "IPv6"],
    ["127.0.0.1", 0xd436, "127.0.0.1", tcp6, 1002, "a client of IPv6 that calls IPv4"],
    ["2001:db8::1234", 0xd437, "2001:db8:0:0::5678", tcp6, 1003, "a long address"],
    ["2001:db8::1234%eth0", 0xd437, "2001:db8::5678", tcp6, 1003, "an address with a zone"],
  ])("%s:%i to %s is found", (address, port, other, table, uid, _why) => {
    expect(find(table, address, port, other)).toBe(uid);
  });

  it.each([
    ["127.0.0.1", 0xd432, tcp, "orphaned: the kernel calls it root's"],
    ["127.0.0.1", 0xd433, tcp, "in TIME_WAIT: the same"],
    ["127.0.0.1", 0xd434, tcp, "of another address"],
    ["127.0.0.1", 0x0bb8, tcp, "the listener itself"],
    ["127.0.0.1", 0xd439, tcp, "not there"],
    ["10.0.0.7", 0xd431, tcp, "of another machine"],
    ["127.0.0.1", 0xd431, "", "in a table that cannot be read"],
    ["127.0.0.1", 0xd431, `${head}\n : : \n 0: zz:yy`, "in a table of another form"],
    ["not an address", 0xd431, tcp, "without an address"],
  ])("%s:%i is nobody: %#", (address, port, table, _why) => {
    expect(find(table, address, port)).toBeNull();
  });

  it("is read on machines of the other byte order", () => {
    const line = "0: 7F000001:D431 7F000001:0BB8 01 0:0 00:0 0  1000        0 40001 1 0";
    const ends = {
      own: { address: "127.0.0.1", port: 0xd431 },
      other: { address: "127.0.0.1", port: 3000 },
    };
    expect(uidIn(line, ends, false)).toBe(1000);
    expect(uidIn(line, ends, true)).toBeNull();
  });
});
