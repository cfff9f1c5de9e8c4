import type { NextConfig } from "next";
import createNextIntlPlugin from "next-intl/plugin";

/** Development only: a server of invented answers, so that screens can be seen in rare states. */
const fixtureApi = process.env.NODE_ENV === "development" ? process.env["FIXTURE_API"] : undefined;

const config: NextConfig = {
  poweredByHeader: false,
  devIndicators: false,
  reactStrictMode: true,
  // `npm run check` types the whole tree at once; a second pass here would only cost time.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: [
    "@aws-sdk/client-s3",
    "@prisma/adapter-pg",
    "@prisma/client",
    "bullmq",
    "h5wasm",
    "ioredis",
    "pg",
    "pino",
    "undici",
  ],
  rewrites: async () => ({
    beforeFiles: fixtureApi
      ? [{ source: "/api/:path*", destination: `${fixtureApi}/api/:path*` }]
      : [],
    afterFiles: [],
    fallback: [],
  }),
};

export default createNextIntlPlugin({
  requestConfig: "./app/language.ts",
  // Texts are parsed by the build: browsers load no parser of theirs.
  experimental: {
    messages: { path: "./messages", format: "json", locales: "infer", precompile: true },
  },
})(config);
