/** Files of the neuron library, by name: our own fragments, of which neuralbond makes a program for each node and weight. */
export const neurons: ReadonlyMap<string, string> = new Map([
  [
    "linear.basm",
    `%fragment linear template:true resout:r0
%meta literal resin {{ range $n := intRange "1" (incs .Params.inputs) }}{{ printf "r%d:" $n }}{{ end }}
	mov	r0, {{ .Params.bias }}
{{ range $n := intRange "1" (incs .Params.inputs) }}	{{ $.Params.addop }}	r0, {{ printf "r%d" $n }}
{{ end }}
%endfragment
`,
  ],
  [
    "linear.nb",
    `{"params": ["inputs", "bias", "addop"]}
`,
  ],
  [
    "relu.basm",
    `%fragment relu template:true resout:r0
%meta literal resin {{ range $n := intRange "1" (incs .Params.inputs) }}{{ printf "r%d:" $n }}{{ end }}
	mov	r0, {{ .Params.bias }}
{{ range $n := intRange "1" (incs .Params.inputs) }}	{{ $.Params.addop }}	r0, {{ printf "r%d" $n }}
{{ end }}
	jgt0f	r0, positive
	clr	r0
positive:
	cpy	r0, r0
%endfragment
`,
  ],
  [
    "relu.nb",
    `{"params": ["inputs", "bias", "addop"]}
`,
  ],
  [
    "summation.basm",
    `%fragment summation template:true resout:r0
%meta literal resin {{ range $n := intRange "1" (incs .Params.inputs) }}{{ printf "r%d:" $n }}{{ end }}
	mov	r0, {{ .Params.bias }}
{{ range $n := intRange "1" (incs .Params.inputs) }}	{{ $.Params.addop }}	r0, {{ printf "r%d" $n }}
{{ end }}
%endfragment
`,
  ],
  [
    "summation.nb",
    `{"params": ["inputs", "bias", "addop"]}
`,
  ],
  [
    "terminal.basm",
    `%fragment terminal resin:r0 resout:r0
%endfragment
`,
  ],
  [
    "terminal.nb",
    `{"params": []}
`,
  ],
  [
    "weight.basm",
    `%fragment weight template:true resin:r0 resout:r0
	mov	r1, {{ .Params.weight }}
	{{ .Params.multop }}	r0, r1
%endfragment
`,
  ],
  [
    "weight.nb",
    `{"params": ["weight", "multop"]}
`,
  ],
]);

/** Those that the assembler reads, too. */
export const fragmentFiles: readonly string[] = [...neurons.keys()].filter((name) =>
  name.endsWith(".basm"),
);
