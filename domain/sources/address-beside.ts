/** The address of another file in the same folder, or of another layer of the same image; null where a query signs the one address alone. */
export function addressBeside(address: string, name: string): string | null {
  if (address.startsWith("oci://")) return `${address.replace(/#.*$/u, "")}#${name}`;
  const [, file = address, revision = ""] = /^(hf:\/\/[^@]*)(@.*)$/u.exec(address) ?? [];
  if (file.includes("?")) return null;
  const slash = file.lastIndexOf("/");
  return slash < "https://".length ? null : `${file.slice(0, slash + 1)}${name}${revision}`;
}
