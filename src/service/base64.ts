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
		const text = this.#rest + (whitespace.test(piece) ? piece.replace(/\s+/g, '') : piece);
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
		if (ended || !alphabet.test(text)) {
			this.#rest = ended ? '' : wellFormed(text);
			throw new RangeError('it has characters that do not belong there');
		}
		if (text.endsWith('=')) {
			const bare = text.replace(/=+$/, '');
			this.#padding = text.length - bare.length;
			if (bare.length % 4 < 2) {
				this.#rest = wellFormed(bare);
				throw new RangeError('its padding stands in the wrong place');
			}
			return Buffer.from(bare, 'base64');
		}
		const whole = text.length - (text.length % 4);
		this.#rest = text.slice(whole);
		return Buffer.from(text.slice(0, whole), 'base64');
	}
}

/** The text before the first character that base64 does not have. */
function wellFormed(text: string): string {
	return text.replace(/[^A-Za-z0-9+/].*/s, '');
}

const nothing: Buffer = Buffer.alloc(0);
const prefixEnd = 'base64,';
// In characters. Media types have at most 127 + 1 + 127 (RFC 6838, part 4.2); parameters are rare.
const longestPrefix = 512;
const alphabet = /^[A-Za-z0-9+/]*={0,2}$/;
const whitespace = /\s/;
