import { redirect } from "next/navigation";

/** The settings begin with how pages look. */
export default function SettingsPage(): never {
  redirect("/settings/appearance");
}
