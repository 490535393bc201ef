/**
 * Returns the value that an attribute has at the end of an AsciiDoc text: what the last attribute
 * entry says, with the references in it resolved as far as the text itself defines them. Minds
 * comments, verbatim blocks, and the preprocessor's `ifdef` and `ifndef`; attributes from elsewhere,
 * such as `env-github`, count as not set ("Attribute Entries", "Conditionals").
 * @returns `undefined` where it is not set, or refers to what the text does not define
 */
export function asciidocAttribute(text: string, name: string): string | undefined {
	const attributes = new Map<string, string>();
	const conditions: boolean[] = [];
	let verbatim: string | undefined;

	const readEntry = (line: string) => {
		const entry = /^:(!?)([\p{L}\p{N}_][\p{L}\p{N}_-]*)(!?):(?:[ \t](.*))?$/u.exec(line);
		if (entry === null) {
			return;
		}
		const key = entry[2]!.toLowerCase();
		const value = entry[1] || entry[3] ? undefined : resolved(entry[4]?.trim() ?? '', attributes);
		if (value === undefined) {
			attributes.delete(key);
		} else {
			attributes.set(key, value);
		}
	};

	for (const line of text.split(/\r?\n/).map((line) => line.trimEnd())) {
		const condition = /^(ifn?def|ifeval|endif)::([^[\s]*)\[(.*)\]$/.exec(line);
		if (condition !== null) {
			const [, directive, names, content] = condition;
			if (directive === 'endif') {
				conditions.pop();
			} else if (directive === 'ifeval') {
				conditions.push(true);
			} else {
				const holds = isDefined(names!.toLowerCase(), attributes) === (directive === 'ifdef');
				if (content === '') {
					conditions.push(holds);
				} else if (holds && conditions.every(Boolean)) {
					readEntry(content!);
				}
			}
		} else if (conditions.every(Boolean)) {
			if (verbatim === undefined && /^(?:-{4,}|\.{4,}|\/{4,}|\+{4,}|`{3}.*)$/.test(line)) {
				verbatim = line.startsWith('```') ? '```' : line;
			} else if (line === verbatim) {
				verbatim = undefined;
			} else if (verbatim === undefined) {
				readEntry(line);
			}
		}
	}
	return attributes.get(name);
}

/** Names separated by `,` are alternatives, by `+` all of them have to be set. */
function isDefined(names: string, attributes: ReadonlyMap<string, string>): boolean {
	return names.includes('+')
		? names.split('+').every((name) => attributes.has(name))
		: names.split(',').some((name) => attributes.has(name));
}

function resolved(value: string, attributes: ReadonlyMap<string, string>): string | undefined {
	let isKnown = true;
	const text = value.replace(/\{([\p{L}\p{N}_][\p{L}\p{N}_-]*)\}/gu, (_, name: string) => {
		const found = attributes.get(name.toLowerCase());
		isKnown &&= found !== undefined;
		return found ?? '';
	});
	return isKnown ? text : undefined;
}
