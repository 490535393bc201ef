import fc from 'fast-check';

type Encode = fc.Arbitrary<(text: string) => string>;

/** Applies one of some ways to each character, so that no encoder's own characters are left plain. */
function eachCharacter(...ways: readonly ((character: string) => string)[]): Encode {
	return fc.array(fc.constantFrom(...ways), { minLength: 1, maxLength: 9 }).map(
		(chosen) => (text) =>
			Array.from(text, (each, at) => {
				const way = /[%\\"]/.test(each) ? ways[0]! : chosen[at % chosen.length]!;
				return way(each);
			}).join(''),
	);
}

const plain = (character: string) => character;
const percent = (character: string) =>
	Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const percentUpper = (character: string) => percent(character).toUpperCase();
const json = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
const jsonUpper = (character: string) => `\\u${json(character).slice(2).toUpperCase()}`;

/** Forms in which a service may repeat the key, and in which it is found. */
export const echo: Encode = fc.oneof(
	fc.constantFrom(
		plain,
		(text: string) => text.toUpperCase(),
		(text: string) => text.toLowerCase(),
		encodeURIComponent,
		(text: string) => JSON.stringify(text).slice(1, -1),
		(text: string) => text.replaceAll(/["\\/]/g, '\\$&'),
	),
	eachCharacter(percent, percentUpper, plain),
	eachCharacter(json, jsonUpper, plain),
);

/** Returns whether a text has the secret in one of those forms. */
export function shows(text: string, secret: string): boolean {
	const fromHex = (digits: string) => String.fromCharCode(Number.parseInt(digits, 16));
	return [
		text,
		text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => fromHex(digits)),
		text.replace(
			/\\(?:u([0-9a-f]{4})|(["\\/]))/gi,
			(_, digits: string | undefined, character: string) =>
				digits === undefined ? character : fromHex(digits),
		),
	].some((each) => each.toLowerCase().includes(secret.toLowerCase()));
}
