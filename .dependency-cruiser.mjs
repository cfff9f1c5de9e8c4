// Who may import whom: the table of the layers, one path prefix per entry, turned into rules. The longest prefix wins.
const mayImport = {
  app: ["components", "domain", "engines", "boards", "messages", "lib/common", "lib/server"],
  components: ["compiler/forecast", "engines/forecast", "simulator/run", "boards", "lib/common"],
  portal: ["lib/common", "lib/server"],
  workers: ["domain", "engines", "simulator", "boards", "proto", "lib/common", "lib/server"],
  gateway: ["domain/routes", "domain/traffic", "proto", "lib/common", "lib/server"],
  "board-server": [
    "simulator/run",
    "boards",
    "proto",
    "lib/common",
    ...["env", "logger", "digest", "grpc", "http", "metrics", "process", "board-protocol"].map(
      (name) => `lib/server/${name}`,
    ),
  ],
  domain: [
    "engines",
    "boards",
    "lib/common",
    ...["db", "logger", "digest", "pattern", "sealing", "storage", "tar"].map(
      (name) => `lib/server/${name}`,
    ),
  ],
  engines: ["compiler", "boards", "proto", "lib/common"],
  compiler: ["boards", "proto", "lib/common"],
  simulator: ["lib/common"],
  boards: ["lib/common"],
  messages: [],
  "lib/server": ["prisma", "proto", "lib/common"],
  "lib/common": [],
};
/** All of them, whole. */
export const layers = [
  "app",
  "components",
  "portal",
  "workers",
  "gateway",
  "board-server",
  "engines",
  "compiler",
  "simulator",
  "boards",
  "messages",
  "domain",
  "proto",
  "prisma",
  "lib",
  "public",
];

const pathOf = (layer) => `^${layer}/`;
const all = `^(?:${layers.join("|")})/`;
/** Layers that begin with another one's name are taken out of it: the longest prefix wins. */
const within = (layer) =>
  Object.keys(mayImport)
    .filter((other) => other !== layer && other.startsWith(`${layer}/`))
    .map(pathOf);

const notTests = "[.](test|bench)[.]tsx?$";
const modules =
  "(?:lib/common|lib/server|domain|workers|gateway|board-server|components|proto)/[^/]+|engines|compiler/forecast|simulator/(?:compile|run)|boards";
/** Links, bitstreams and cell models are apart from the catalogue, and forecasts from engines: few of their users need them, and they are large. */
const indexes = `^(?:${modules}|boards/links/[^/]+|boards/bitstreams|boards/cell-models|engines/forecast)/index[.]ts$`;

export default {
  forbidden: [
    ...Object.entries(mayImport).map(([layer, targets]) => ({
      name: `layer-${layer.replaceAll("/", "-")}`,
      severity: "error",
      from: { path: pathOf(layer), pathNot: [notTests, ...within(layer)] },
      to: { path: all, pathNot: [layer, ...targets].map(pathOf) },
    })),
    {
      name: "no-tests-in-product",
      comment: "What runs never imports what checks or ships it.",
      severity: "error",
      from: { path: all, pathNot: notTests },
      to: { path: "^(tests|e2e|bench|scripts|docs)/" },
    },
    {
      name: "index-only",
      comment: "Nobody imports past a module's index.ts.",
      severity: "error",
      from: { path: `^(${modules})/|${all}` },
      to: { path: `^(?:${modules})/`, pathNot: [indexes, "^$1/", "generated"] },
    },
    {
      name: "compiler-index-only",
      comment: "The compiler is one module to all others, and its forecast another.",
      severity: "error",
      from: { path: all, pathNot: ["^compiler/", notTests] },
      to: { path: "^compiler/", pathNot: "^compiler/(?:forecast/)?index[.]ts$" },
    },
    {
      name: "no-cycle",
      severity: "error",
      from: { pathNot: "generated" },
      to: { circular: true, pathNot: "generated" },
    },
    {
      name: "pure",
      comment: "The compiler, the simulator, boards and plans use no Node module.",
      severity: "error",
      from: { path: "^(compiler|simulator|boards)/|^engines/", pathNot: notTests },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "client-safe",
      comment:
        "What runs in a browser or beside a board reaches neither the database nor the stores.",
      severity: "error",
      from: { path: "^(components|board-server)/" },
      to: { path: "^(domain|lib/server/(db|queue|storage|auth))/", reachable: true },
    },
    {
      name: "unresolved",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: ["node_modules", "prisma/generated"] },
    exclude: { path: ["^node_modules", "^[.]next", "^[.]boardwalk"] },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json", ".d.ts"],
    },
  },
};
