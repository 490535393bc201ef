/** The attributes of an AsciiDoc text, read once from its beginning to where they are asked for. */
export class AsciidocAttributes {
	readonly #lines: RegExpStringIterator<RegExpExecArray>;
	/** The first line that is not read yet. */
	#next: IteratorResult<RegExpExecArray>;
	readonly #entries = new Entries();
	readonly #conditions = new Conditions();
	#verbatim: string | undefined;

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
		while (
			this.#next.done !== true &&
			this.#next.value.index < offset &&
			!this.#entries.areTooMany
		) {
			this.#entries.count();
			this.#read(this.#next.value[0].trimEnd());
			this.#next = this.#lines.next();
		}
		return this.#entries.areTooMany ? undefined : this.#entries.get(name);
	}

	#read(line: string): void {
		const [, directive, names = '', content = ''] = condition.exec(line) ?? [];
		if (directive === 'endif') {
			this.#conditions.close();
		} else if (directive === 'ifeval') {
			this.#conditions.open(true);
		} else if (directive !== undefined) {
			const holds = this.#entries.has(names.toLowerCase()) === (directive === 'ifdef');
			if (content === '') {
				this.#conditions.open(holds);
			} else if (holds && this.#conditions.hold) {
				this.#entries.read(content);
			}
		} else if (this.#conditions.hold) {
			if (this.#verbatim === undefined && delimiter.test(line)) {
				this.#verbatim = line.startsWith('```') ? '```' : line;
			} else if (line === this.#verbatim) {
				this.#verbatim = undefined;
			} else if (this.#verbatim === undefined) {
				this.#entries.read(line);
			}
		}
	}
}

/** How a line begins that can be an entry, a condition or the delimiter of a verbatim block. */
const lineOfInterest =
	/(?<![^\n])(?::!?[\p{L}\p{N}_]|(?:ifn?def|ifeval|endif)::|-{4}|\.{4}|\/{4}|\+{4}|`{3})[^\n]*/gu;

const condition = /^(ifn?def|ifeval|endif)::([^[\s]*)\[(.*)\]$/;
const delimiter = /^(?:-{4,}|\.{4,}|\/{4,}|\+{4,}|`{3}.*)$/;
const entry = /^:(!?)([\p{L}\p{N}_][\p{L}\p{N}_-]*)(!?):(?:[ \t](.*))?$/u;
const reference = /\{([\p{L}\p{N}_][\p{L}\p{N}_-]*)\}/gu;

/** Of lines and references together: each takes its time, and a text may have nothing else. */
const mostSteps = 20_000;
/** Of a value, in UTF-16 code units: values may refer to one another, each twice to the one before. */
const longestValue = 4096;

/** Conditions within conditions. */
class Conditions {
	readonly #open: boolean[] = [];
	#failed = 0;

	/** Whether all of them do, so that what follows counts. */
	get hold(): boolean {
		return this.#failed === 0;
	}

	open(holds: boolean): void {
		this.#open.push(holds);
		this.#failed += holds ? 0 : 1;
	}

	close(): void {
		this.#failed -= this.#open.pop() === false ? 1 : 0;
	}
}

/** What the entries so far have set. */
class Entries {
	readonly #values = new Map<string, string>();
	#steps = 0;

	/** Whether it took so many steps that nobody has written this text. */
	get areTooMany(): boolean {
		return this.#steps > mostSteps;
	}

	/** Counts a step. */
	count(): void {
		this.#steps += 1;
	}

	get(name: string): string | undefined {
		return this.#values.get(name);
	}

	/** Names separated by `,` are alternatives, by `+` all of them have to be set. */
	has(names: string): boolean {
		return names.includes('+')
			? names.split('+').every((name) => this.#values.has(name))
			: names.split(',').some((name) => this.#values.has(name));
	}

	/** Takes a line for an entry, where it is one. */
	read(line: string): void {
		const [, unset, name, unsetBehind, value = ''] = entry.exec(line) ?? [];
		if (name === undefined) {
			return;
		}
		const resolved = unset || unsetBehind ? undefined : this.#resolved(value.trim());
		if (resolved === undefined) {
			this.#values.delete(name.toLowerCase());
		} else {
			this.#values.set(name.toLowerCase(), resolved);
		}
	}

	#resolved(value: string): string | undefined {
		let text = '';
		let end = 0;
		for (const { 0: whole, 1: name = '', index } of value.matchAll(reference)) {
			const found = this.#values.get(name.toLowerCase());
			this.count();
			if (found === undefined || this.areTooMany) {
				return undefined;
			}
			text += value.slice(end, index) + found;
			end = index + whole.length;
		}
		text += value.slice(end);
		return text.length > longestValue ? undefined : text;
	}
}
