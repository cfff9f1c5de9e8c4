import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "@/app/api/v1/openapi.json/openapi";
import { routes } from "@/app/api/v1/openapi.json/routes";

/** Routes whose callers are machines of ours, or which are the description itself. */
const apart = [/^\/board-server\//, /^\/openapi\.json$/];

describe("the list of routes", () => {
  it("names every route file of app/api/v1", () => {
    const files = readdirSync("app/api/v1", { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith("/route.ts"))
      .map((file) => `/${file.slice(0, -"/route.ts".length).replaceAll(/\[(\w+)\]/g, "{$1}")}`);
    const expected = files.filter((file) => !apart.some((pattern) => pattern.test(file)));
    expect(expected.length).toBeGreaterThan(20);
    expect(Object.keys(routes).sort()).toEqual(expected.sort());
  });

  it("gives each operation a name of its own", () => {
    const names = Object.values(routes).flatMap((module) =>
      [module.GET, module.POST, module.PATCH, module.DELETE].flatMap(
        (handler) => handler?.definition.name ?? [],
      ),
    );
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("OpenAPI", () => {
  const document = JSON.parse(JSON.stringify(openApiDocument("http://localhost:3000")));

  it("is version 3.1 and describes the calls that scripts rely on", () => {
    expect(document.openapi).toBe("3.1.0");
    const calls = Object.entries<Record<string, unknown>>(document.paths).flatMap(
      ([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(calls).toEqual(
      expect.arrayContaining([
        "POST /models",
        "POST /models/inspect",
        "POST /endpoints",
        "GET /endpoints/{name}",
        "POST /endpoints/{name}/revisions",
        "DELETE /endpoints/{name}",
        "GET /engines",
        "GET /builds/{id}",
        "GET /builds/{id}/log",
        "POST /builds/{id}/cancel",
        "POST /endpoints/{name}/predict",
        "GET /artifacts/{id}/archive",
        "POST /artifacts",
      ]),
    );
  });

  it("carries the schemas: a name's pattern, required fields, path parameters", () => {
    const create = document.paths["/endpoints"].post;
    const { properties, required } = create.requestBody.content["application/json"].schema;
    expect(properties.name.pattern).toBe("^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$");
    expect(required).toEqual(expect.arrayContaining(["name", "engine", "model", "board"]));
    expect(create.responses["202"].content["application/json"].schema.properties).toHaveProperty(
      "buildId",
    );
    expect(create.parameters).toMatchObject([{ name: "Idempotency-Key", in: "header" }]);
    expect(document.paths["/builds/{id}"].get.parameters).toMatchObject([
      { name: "id", in: "path", required: true },
    ]);
  });
});
