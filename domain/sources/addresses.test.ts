import { describe, expect, it } from "vitest";
import { isPublicAddress } from "./addresses";

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
