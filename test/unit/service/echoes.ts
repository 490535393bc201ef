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

/** Encodings in which a service may repeat what it was sent. */
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
	base64,
);

/** Returns whether 8 consecutive characters of the secret can be read in a text. */
export function shows(text: string, secret: string): boolean {
	const texts = decodings(text).map((each) => each.toLowerCase());
	return Array.from({ length: Math.max(1, secret.length - 7) }, (_, at) =>
		secret.slice(at, at + 8).toLowerCase(),
	).some((run) => texts.some((each) => each.includes(run)));
}

function decodings(text: string): string[] {
	const fromHex = (digits: string) => String.fromCharCode(Number.parseInt(digits, 16));
	const runs = Array.from(text.matchAll(/[\w+/-]{8,}/g), ([run]) => run);
	return [
		text,
		text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => fromHex(digits)),
		text.replace(
			/\\(?:u([0-9a-f]{4})|(["\\/]))/gi,
			(_, digits: string | undefined, character: string) =>
				digits === undefined ? character : fromHex(digits),
		),
		...[0, 1, 2, 3].flatMap((skipped) =>
			runs.map((run) => Buffer.from(run.slice(skipped), 'base64').toString('latin1')),
		),
	];
}
