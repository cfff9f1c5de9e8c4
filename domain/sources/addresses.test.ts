import { describe, expect, it } from "vitest";
import { isForeignPublic, isPublicAddress } from "./addresses";

describe("public addresses", () => {
  it("are none of the reserved ones, at their first and last address", () => {
    const reserved = `0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.0 127.255.255.255
      169.254.0.0 169.254.255.255 172.16.0.0 172.31.255.255 192.0.0.255 192.0.2.1 192.88.99.1 192.168.255.255 198.18.0.0
      198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.0 239.255.255.255 240.0.0.0 255.255.255.255 :: ::1 ::ffff:8.8.8.8
      ::8.8.8.8 64:ff9b::808:808 64:ff9b:1::1 100::1 2001::1 2001:1ff::1 2001:db8:ffff::1 2002:808:808::1 3fff::1 4000::1
      fc00::1 fdff::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 1.2.3 example.com`;
    for (const address of reserved.split(/\s+/)) {
      expect(isPublicAddress(address), address).toBe(false);
    }
  });

  it("are their neighbours", () => {
    const open = `1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 172.15.255.255
      172.32.0.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 2001:200::1 2606:4700::1111
      2a00:1450::1 3ffe::1`;
    for (const address of open.split(/\s+/)) expect(isPublicAddress(address), address).toBe(true);
  });
});

describe("this machine's own addresses", () => {
  const interfaces = () => ({
    lo: [of("127.0.0.1", "IPv4")],
    eth0: [of("1.2.3.4", "IPv4"), of("2606:4700::1111", "IPv6"), of("fe80::1%eth0", "IPv6")],
  });
  const of = (address: string, family: "IPv4" | "IPv6") =>
    ({ address, family, netmask: "", mac: "", internal: false, cidr: null, scopeid: 0 }) as never;
  const isFetched = (address: string) => isForeignPublic(address, interfaces);

  it("are not fetched from, in whatever spelling, though they are public", () => {
    expect(isPublicAddress("1.2.3.4")).toBe(true);
    for (const own of ["1.2.3.4", "2606:4700::1111", "2606:4700:0:0:0:0:0:1111"])
      expect(isFetched(own), own).toBe(false);
  });

  it("leave their neighbours open, and what is not public closed", () => {
    for (const other of ["1.2.3.5", "2606:4700::1112"]) expect(isFetched(other), other).toBe(true);
    for (const other of ["10.0.0.1", "::1"]) expect(isFetched(other), other).toBe(false);
  });
});
