import { cookies, headers } from "next/headers";
import { type Preferences, readPreferences } from "@/components/preferences";

/** The preferences of the request that is being answered. */
export async function readRequestPreferences(): Promise<Preferences> {
  const [jar, sent] = await Promise.all([cookies(), headers()]);
  return readPreferences({
    cookie: (name) => jar.get(name)?.value,
    acceptLanguage: sent.get("accept-language"),
  });
}
