import fc from 'fast-check';

type Encode = fc.Arbitrary<(text: string) => string>;

/** Applies one of some ways to each character. */
function eachCharacter(...ways: readonly ((character: string) => string)[]): Encode {
	return fc
		.array(fc.constantFrom(...ways), { minLength: 1, maxLength: 9 })
		.map((chosen) => (text) => {
			return Array.from(text, (each, at) => chosen[at % chosen.length]!(each)).join('');
		});
}

const hexOf = (character: string) => character.charCodeAt(0).toString(16);

const plain = (character: string) => character;
const percent = (character: string) => `%${hexOf(character).padStart(2, '0')}`;
const percentUpper = (character: string) => percent(character).toUpperCase();
const json = (character: string) => `\\u${hexOf(character).padStart(4, '0')}`;
const jsonUpper = (character: string) => `\\u${hexOf(character).padStart(4, '0').toUpperCase()}`;
const braced = (character: string) => `\\u{${hexOf(character)}}`;
const backslashX = (character: string) => `\\x${hexOf(character).padStart(2, '0')}`;
const decimal = (character: string) => `&#${String(character.charCodeAt(0))};`;
const hexadecimal = (character: string) => `&#X${hexOf(character).padStart(4, '0')};`;
const unseen = (character: string) => `${character}\u200b\u2060`;

/** Every alignment of three, and every place among other letters of the alphabet. */
const base64: Encode = fc
	.record({
		before: fc.constantFrom('', 'a', 'ab', 'Bearer ', 'user:'),
		behind: fc.constantFrom('', 'y', 'yz', ' and more'),
		glued: fc.constantFrom('', 'A', 'AB', 'ABC', 'Basic ', '/'),
		isUrl: fc.boolean(),
	})
	.map(({ before, behind, glued, isUrl }) => (text) => {
		const bytes = Buffer.from(before + text + behind);
		return glued + bytes.toString(isUrl ? 'base64url' : 'base64');
	});

const encodings: Encode = fc.oneof(
	fc.constant((text: string) => text),
	fc.constant(encodeURIComponent),
	eachCharacter(percent, percentUpper),
	eachCharacter(json, jsonUpper),
	eachCharacter(decimal, hexadecimal),
	eachCharacter(plain, percent, percentUpper, json, jsonUpper, braced, backslashX, decimal, unseen),
	base64,
	fc.constant((text: string) => Buffer.from(text).toString('hex')),
	fc.constant((text: string) => Buffer.from(text).toString('hex').toUpperCase()),
	fc.constant((text: string) => JSON.stringify(JSON.stringify(text))),
	// As lines that were filled.
	fc.constant((text: string) =>
		Buffer.from(`${'x'.repeat(50)}${text}`)
			.toString('base64')
			.replace(/.{76}/g, '$&\r\n'),
	),
);

/** Ways in which a service may write down what it was sent, one in the other too. */
export const echo: Encode = fc.oneof(
	{ weight: 2, arbitrary: encodings },
	{
		weight: 1,
		arbitrary: fc.tuple(encodings, encodings).map(([inner, outer]) => {
			return (text: string) => outer(inner(text));
		}),
	},
);

/** Whether a text says the secret to somebody who decodes it in every way, three times over. */
export function tells(text: string, secret: string): boolean {
	let layer = new Set([text]);
	for (let depth = 0; depth <= 4; depth += 1) {
		if ([...layer].some((each) => each.includes(secret))) {
			return true;
		}
		layer = new Set([...layer].flatMap(decodings).slice(0, 3000));
	}
	return false;
}

function decodings(text: string): string[] {
	const fromHex = (_: string, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16));
	const texts = [
		text.replace(/%([0-9a-fA-F]{2})/g, fromHex),
		text.replace(/\\u([0-9a-fA-F]{4})/g, fromHex),
		text.replace(/\\u\{([0-9a-fA-F]{1,5})\}/g, fromHex).replace(/\\x([0-9a-fA-F]{2})/g, fromHex),
		text.replace(/\\([^ux])/g, '$1'),
		text
			.replace(/&#[xX]([0-9a-fA-F]{1,5});/g, fromHex)
			.replace(/&#(\d{1,6});/g, (_, digits: string) => String.fromCodePoint(Number(digits))),
		text.replace(/[\u200b-\u200f\u2060-\u2064\u202a-\u202e\u2066-\u2069]/g, ''),
	].filter((each) => each !== text);
	for (const [run] of text.replace(/\r\n| /g, '').matchAll(/[\w+/-]{8,}/g)) {
		for (let at = 0; at < 4; at += 1) {
			texts.push(Buffer.from(run.slice(at), 'base64').toString('latin1'));
		}
	}
	for (const [run] of text.matchAll(/[0-9a-fA-F]{8,}/g)) {
		texts.push(Buffer.from(run, 'hex').toString('latin1'));
		texts.push(Buffer.from(run.slice(1), 'hex').toString('latin1'));
	}
	return texts;
}
