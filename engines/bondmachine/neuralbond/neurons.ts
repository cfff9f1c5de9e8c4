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
    "softmax.basm",
    `%fragment softmax template:true resout:r9
%meta literal resin {{ range $n := intRange "10" (adds "10" .Params.inputs) }}{{ printf "r%d:" $n }}{{ end }}
	mov	r8, {{ .Params.typeprefix }}0.0
	mov	r5, {{ .Params.typeprefix }}1.0
	mov	r4, {{ .Params.typeprefix }}-1.0
{{ $own := atoi (adds "10" .Params.pos) }}
{{ range $n := intRange "10" (adds "10" .Params.inputs) }}
	mov	r0, {{ $.Params.typeprefix }}1.0
	mov	r3, {{ $.Params.typeprefix }}{{ $.Params.expprec }}.0
	mov	r7, 0u{{ $.Params.expprec }}
horner{{ $n }}:
	mov	r1, {{ printf "r%d" $n }}
	{{ $.Params.multop }}	r1, r0
	{{ $.Params.divop }}	r1, r3
	mov	r0, r5
	{{ $.Params.addop }}	r0, r1
	{{ $.Params.addop }}	r3, r4
	dec	r7
	jz	r7, ready{{ $n }}
	j	horner{{ $n }}
ready{{ $n }}:
	{{ $.Params.addop }}	r8, r0
{{ if eq $n $own }}	mov	r9, r0
{{ end }}
{{ end }}
	{{ .Params.divop }}	r9, r8
%endfragment
`,
  ],
  [
    "softmax.nb",
    `{"params": ["inputs", "pos", "expprec", "addop", "multop", "divop", "typeprefix"]}
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
