/**
 * Decodes base64 that arrives in pieces (RFC 4648, part 4), after removing "a data-URI style
 * prefix ending in `base64,`" (specification, "Image response", rule 2). White space and missing
 * padding are forgiven, because the image was paid for; any other character is an error.
 */
export class Base64Decoder {
	/** The beginning of the text, until it is long enough to hold any prefix; `undefined` then. */
	#head: string | undefined = '';
	/** What is not decoded yet: up to three characters of a group; after a fault, all before it. */
	#rest = '';
	/** How much padding has come, in characters; nothing may follow it. */
	#padding = 0;

	/** Whether what comes is base64 and cannot belong to a prefix, of which anything is taken. */
	get isPastPrefix(): boolean {
		return this.#head === undefined;
	}

	/**
	 * Returns the bytes that are complete with this piece.
	 * @throws {RangeError} where the text is not base64
	 */
	write(piece: string): Buffer {
		if (this.#head !== undefined) {
			this.#head += piece;
			if (this.#head.length < longestPrefix) {
				return nothing;
			}
			piece = this.#takeHead();
		}
		return this.#decode(piece);
	}

	/**
	 * Does what {@link write} does, quicker, for a piece of which nothing is to be forgiven.
	 *
	 * @returns `undefined` where it has anything but characters of the alphabet in it, or may belong
	 * to a prefix; nothing was taken of it then
	 */
	writePlain(piece: string): Buffer | undefined {
		return this.#head === undefined ? this.#decodePlain(this.#rest + piece) : undefined;
	}

	/**
	 * Returns the last bytes.
	 * @throws {RangeError} where the text ends in the middle of a group
	 */
	end(): Buffer {
		const first = this.#decode(this.#takeHead());
		const rest = this.#rest;
		if (rest.length === 1) {
			throw new RangeError('it ends in the middle of a group of four characters');
		}
		return Buffer.concat([first, Buffer.from(rest, 'base64')]);
	}

	/** Returns the last bytes of a text that broke off or had a fault: those before the fault. */
	salvage(): Buffer {
		let first = nothing;
		try {
			first = this.#decode(this.#takeHead());
		} catch {
			// What stood before it is left in the rest.
		}
		return Buffer.concat([first, Buffer.from(this.#rest, 'base64')]);
	}

	#takeHead(): string {
		const head = this.#head ?? '';
		this.#head = undefined;
		// The alphabet of base64 has no comma, so the end of the prefix cannot be part of the payload.
		// Where the pieces end must not decide what is a prefix.
		const marker = head.slice(0, longestPrefix).indexOf(prefixEnd);
		return marker < 0 ? head : head.slice(marker + prefixEnd.length);
	}

	#decode(piece: string): Buffer {
		const text = this.#rest + piece;
		return this.#decodePlain(text) ?? this.#decodeCarefully(text);
	}

	#decodePlain(text: string): Buffer | undefined {
		const whole = text.length - (text.length % 4);
		const rest = text.slice(whole);
		if (this.#padding > 0 || wellFormed(rest) !== rest) {
			return undefined;
		}
		const bytes = decodeGroups(rest === '' ? text : text.slice(0, whole));
		if (bytes !== undefined) {
			this.#rest = rest;
		}
		return bytes;
	}

	#decodeCarefully(folded: string): Buffer {
		const text = folded.replace(/\s+/g, '');
		this.#rest = '';
		if (text === '') {
			return nothing;
		}
		const ended = this.#padding > 0;
		// Padding may be split between two pieces: `=` and `=`.
		if (ended && text === '=' && this.#padding < 2) {
			this.#padding += 1;
			return nothing;
		}
		const bare = text.replace(/={1,2}$/, '');
		const whole = bare.length - (bare.length % 4);
		const bytes = ended ? undefined : decodeGroups(bare.slice(0, whole));
		const rest = bare.slice(whole);
		if (bytes === undefined || wellFormed(rest) !== rest) {
			this.#rest = ended ? '' : wellFormed(text);
			throw new RangeError('it has characters that do not belong there');
		}
		this.#padding = text.length - bare.length;
		if (this.#padding === 0) {
			this.#rest = rest;
			return bytes;
		}
		if (rest.length < 2) {
			this.#rest = bare;
			throw new RangeError('its padding stands in the wrong place');
		}
		return Buffer.concat([bytes, Buffer.from(rest, 'base64')]);
	}
}

/**
 * Decodes whole groups of four characters; `undefined` where there is another character in them. A
 * regular expression would take many times as long to find that out.
 */
function decodeGroups(text: string): Buffer | undefined {
	// Node's decoder takes the two characters of base64url for others, and those that are not ASCII by
	// their lower half. All else that it does not know it leaves out, so that bytes are missing.
	if (text.includes('-') || text.includes('_') || Buffer.byteLength(text) > text.length) {
		return undefined;
	}
	const bytes = Buffer.from(text, 'base64');
	return bytes.length === (text.length / 4) * 3 ? bytes : undefined;
}

/** The text before the first character that base64 does not have. */
function wellFormed(text: string): string {
	return text.replace(/[^A-Za-z0-9+/].*/s, '');
}

const nothing: Buffer = Buffer.alloc(0);
const prefixEnd = 'base64,';
// In characters. Media types have at most 127 + 1 + 127 (RFC 6838, part 4.2); parameters are rare.
const longestPrefix = 512;
