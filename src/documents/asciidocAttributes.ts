/** The attributes of an AsciiDoc text, read once from its beginning to where they are asked for. */
export class AsciidocAttributes {
	readonly #lines: RegExpStringIterator<RegExpExecArray>;
	/** The first line that is not read yet. */
	#next: IteratorResult<RegExpExecArray>;
	readonly #values = new Map<string, string>();
	/** Open conditions, each true where it holds. */
	readonly #conditions: boolean[] = [];
	#failed = 0;
	#verbatim: string | undefined;
	#steps = 0;

	constructor(text: string) {
		this.#lines = text.matchAll(lineOfInterest);
		this.#next = this.#lines.next();
	}

	/**
	 * Returns the value that an attribute has at a place: what the last attribute entry above says,
	 * with the references in it resolved as far as the text itself defines them. Minds comments,
	 * verbatim blocks, and the preprocessor's `ifdef` and `ifndef`; attributes from elsewhere, such as
	 * `env-github`, count as not set ("Attribute Entries", "Conditionals").
	 *
	 * @param offset not before that of the last call
	 * @returns `undefined` where it is not set, refers to what the text does not define, or where the
	 * text goes beyond what anybody writes: values of 4,096 characters, 20,000 entries and the like
	 */
	at(offset: number, name: string): string | undefined {
		while (this.#next.done !== true && this.#next.value.index < offset && !this.#isTooLong) {
			this.#steps++;
			this.#read(this.#next.value[0].trimEnd());
			this.#next = this.#lines.next();
		}
		return this.#isTooLong ? undefined : this.#values.get(name);
	}

	get #isTooLong(): boolean {
		return this.#steps > maxSteps;
	}

	#read(line: string): void {
		const [, directive, names = '', content = ''] = condition.exec(line) ?? [];
		const holds =
			directive === 'ifeval' || this.#has(names.toLowerCase()) === (directive === 'ifdef');
		if (directive === 'endif') {
			this.#failed -= this.#conditions.pop() === false ? 1 : 0;
		} else if (directive !== undefined && (directive === 'ifeval' || content === '')) {
			this.#conditions.push(holds);
			this.#failed += holds ? 0 : 1;
		} else if (this.#failed > 0 || (directive !== undefined && !holds)) {
			return;
		} else if (directive !== undefined) {
			this.#readEntry(content);
		} else if (this.#verbatim === undefined && delimiter.test(line)) {
			this.#verbatim = line.startsWith('```') ? '```' : line;
		} else if (line === this.#verbatim) {
			this.#verbatim = undefined;
		} else if (this.#verbatim === undefined) {
			this.#readEntry(line);
		}
	}

	/** Names separated by `,` are alternatives, by `+` all of them have to be set. */
	#has(names: string): boolean {
		return names.includes('+')
			? names.split('+').every((name) => this.#values.has(name))
			: names.split(',').some((name) => this.#values.has(name));
	}

	/** Takes a line for an entry, where it is one. */
	#readEntry(line: string): void {
		const [, unset, name, unsetBehind, value = ''] = entry.exec(line) ?? [];
		let isDefined = !unset && !unsetBehind;
		const text = (isDefined ? value.trim() : '').replace(reference, (_, other: string) => {
			this.#steps++;
			const found = this.#isTooLong ? undefined : this.#values.get(other.toLowerCase());
			isDefined &&= found !== undefined;
			return isDefined ? (found ?? '') : '';
		});
		if (name !== undefined && isDefined && text.length <= maxValueLength) {
			this.#values.set(name.toLowerCase(), text);
		} else if (name !== undefined) {
			this.#values.delete(name.toLowerCase());
		}
	}
}

/** Beginning of a line that can be an entry, a condition or the delimiter of a verbatim block. */
const lineOfInterest =
	/(?<![^\n])(?::!?[\p{L}\p{N}_]|(?:ifn?def|ifeval|endif)::|-{4}|\.{4}|\/{4}|\+{4}|`{3})[^\n]*/gu;

const condition = /^(ifn?def|ifeval|endif)::([^[\s]*)\[(.*)\]$/;
const delimiter = /^(?:-{4,}|\.{4,}|\/{4,}|\+{4,}|`{3}.*)$/;
const entry = /^:(!?)([\p{L}\p{N}_][\p{L}\p{N}_-]*)(!?):(?:[ \t](.*))?$/u;
const reference = /\{([\p{L}\p{N}_][\p{L}\p{N}_-]*)\}/gu;

/** Number of lines and references together: each takes its time. */
const maxSteps = 20_000;
/** Length of a value, in UTF-16 code units: values may refer to one another, each twice to the one before. */
const maxValueLength = 4096;
