import "@fontsource-variable/ibm-plex-sans/wght.css";
import "@fontsource/ibm-plex-mono/400.css";
import "@fontsource/ibm-plex-mono/600.css";
import "./globals.css";
import type { Metadata, Viewport } from "next";
import { NextIntlClientProvider } from "next-intl";
import { getMessages, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { CatalogueProvider } from "@/components/boards";
import { EndNotifier } from "@/components/builds";
import { OutdatedNote } from "@/components/live";
import { AccountMenu, SessionWatch } from "@/components/people";
import { PreferencesProvider } from "@/components/preferences";
import {
  Breadcrumb,
  FocusAfterMove,
  Frame,
  PageFoot,
  Providers,
  Rail,
  SandboxBanner,
  TopBar,
} from "@/components/shell";
import { hasAccounts } from "@/lib/server/auth";
import { loadCatalogue } from "./catalogue";
import { readRequestPreferences } from "./request-preferences";

export const metadata: Metadata = {
  title: { default: "Boardwalk", template: "%s · Boardwalk" },
  description: "Puts machine-learning models onto FPGA boards as a service.",
};

export const viewport: Viewport = { width: "device-width", initialScale: 1 };

export default async function RootLayout({ children }: { children: ReactNode }) {
  const preferences = await readRequestPreferences();
  const t = await getTranslations("shell");
  const isShared = hasAccounts();
  // Explanations of errors are long, and drawn by the server alone.
  const { errors: _, ...texts } = await getMessages();
  return (
    <html
      lang={preferences.language}
      data-theme={preferences.theme}
      data-contrast={preferences.contrast}
      data-density={preferences.density}
    >
      <body>
        <a
          href="#main"
          className="sr-only focus:rounded-control focus:bg-accent focus:px-4 focus:py-2 focus:font-strong focus:text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
        >
          {t("skip")}
        </a>
        <NextIntlClientProvider messages={texts}>
          <PreferencesProvider initial={preferences}>
            <Frame
              shell={
                <Providers>
                  <CatalogueProvider catalogue={loadCatalogue()}>
                    <FocusAfterMove />
                    <EndNotifier />
                    {isShared ? <SessionWatch /> : null}
                    <div className="min-h-screen pb-14 tablet:grid tablet:grid-cols-[64px_minmax(0,1fr)] tablet:pb-0 desk:grid-cols-[216px_minmax(0,1fr)]">
                      <Rail isShared={isShared} />
                      <div className="min-w-0">
                        <TopBar account={isShared ? <AccountMenu /> : null} />
                        <SandboxBanner />
                        <OutdatedNote />
                        <Breadcrumb />
                        <main
                          id="main"
                          tabIndex={-1}
                          className="max-w-[1264px] px-4 pt-4 pb-12 outline-none tablet:px-8 tablet:pt-6"
                        >
                          {children}
                        </main>
                        <PageFoot />
                      </div>
                    </div>
                  </CatalogueProvider>
                </Providers>
              }
            >
              {children}
            </Frame>
          </PreferencesProvider>
        </NextIntlClientProvider>
      </body>
    </html>
  );
}
