import { describe, expect, it } from "vitest";
import { curlOf, languages, snippetOf } from "./snippets";

const target = {
  name: "iris",
  url: "http://localhost:8000/v2/models/iris/infer",
  grpc: "localhost:8001",
  outputs: [{ name: "species", datatype: "FP32", shape: [-1, 3] }],
  revision: null,
};
const text =
  '{"inputs":[{"name":"measures","shape":[1,4],"datatype":"FP32","data":[5.10,3.5,1.4,0.2]}]}';

describe("snippets", () => {
  it.each(languages)("in %s hold the address and the request as it is written", (language) => {
    const snippet = snippetOf(language, target, text) ?? "";
    expect(snippet).toMatch(/localhost:800[01]/);
    expect(snippet).toContain("measures");
    if (language === "grpcurl") expect(snippet).toContain("MzOjQAAAYEAzM7M/zcxMPg==");
    else expect(snippet).toMatch(/5\.10,\s?3\.5,\s?1\.4,\s?0\.2/);
  });

  it.each(languages)(
    "%s shows the token of a variable where the endpoint is closed",
    (language) => {
      const closed = snippetOf(language, { ...target, access: "project" }, text) ?? "";
      expect(closed).toContain("BOARDWALK_TOKEN");
      expect(closed.toLowerCase()).toContain("authorization");
      expect(snippetOf(language, { ...target, access: "all" }, text)).not.toContain("BOARDWALK");
    },
  );

  it("ask for the revision that was chosen", () => {
    const pinned = { ...target, revision: 2 };
    expect(snippetOf("curl", pinned, text)).toContain("/v2/models/iris/versions/2/infer");
    expect(snippetOf("Python", pinned, text)).toContain('model_version="2"');
    expect(snippetOf("grpcurl", pinned, text)).toContain('"model_version":"2"');
  });

  it("in Python name the output and give no scheme to the client", () => {
    const snippet = snippetOf("Python", target, text);
    expect(snippet).toContain('url="localhost:8000"');
    expect(snippet).toContain('as_numpy("species")');
    expect(snippet).toContain("dtype=np.float32");
  });

  it("write no number that the language cannot hold", () => {
    const big =
      '{"inputs":[{"name":"x","shape":[1],"datatype":"INT64","data":[9223372036854775807]}]}';
    expect(snippetOf("TypeScript", target, big)).toContain(`body: ${JSON.stringify(big)},`);
    expect(snippetOf("TypeScript", target, text)).toContain("body: JSON.stringify({");
  });

  it("quote what a shell or a language would run", () => {
    expect(curlOf("http://x", `{"a":"it's"}`)).toContain(`'{"a":"it'\\''s"}'`);
    const bytes =
      '{"inputs":[{"name":"a\\"b","shape":[1],"datatype":"BYTES","data":["\\"\\\\\\n$(reboot)é"]}]}';
    expect(snippetOf("Python", target, bytes)).toContain('b"\\x22\\x5c\\x0a$(reboot)\\xc3\\xa9"');
  });

  it("are none but curl's of what is no request", () => {
    expect(snippetOf("curl", target, "[1,")).toContain("-d '[1,'");
    for (const language of languages.slice(1))
      expect(snippetOf(language, target, "[1,")).toBeNull();
  });

  it("read from a file what is too long for an argument", () => {
    expect(curlOf("http://x", "1".repeat(100_001))).toContain("-d @request.json");
  });
});
