import { readings } from './readings.js';

/**
 * Makes text fit for the log: keys become `***`, base64 of images becomes its length. Everything
 * that is logged goes through here: neither keys nor base64 of images may stand in logs
 * (specification, "Authentication", 5).
 *
 * @param secrets values that must not appear, such as the key in use; those under 4 characters stay
 */
export function redact(text: string, secrets: readonly string[] = []): string {
	return hideSecrets(text, secrets)
		.replace(/\b(bearer|basic)\s+[^\s"',;]+/gi, '$1 ***')
		.replace(/((?:x-)?api[-_]?key["']?\s*[:=]\s*["']?)[^\s"',;]+/gi, '$1***')
		.replace(/\/\/[^/\s:@]+:[^/\s@]+@/g, '//***@')
		.replace(/[A-Za-z0-9+/]{200,}={0,2}/g, (match) => `[${String(match.length)} characters]`);
}

/**
 * Puts `***` where one of the secrets stands, in whatever way a service may write down what it was
 * sent: as it is, percent-encoded, as escapes of JSON or HTML, as hexadecimal digits, as base64 of a
 * text that has it anywhere, with characters in between that nobody sees, and one in the other.
 * Takes about a tenth of a second for a mebibyte of ordinary text.
 *
 * @param secrets those with less than four characters are not looked for: they would black out
 * ordinary words, and no service gives such keys
 */
export function hideSecrets(text: string, secrets: readonly string[]): string {
	const known = secrets.filter(({ length }) => length >= shortestSecret);
	if (known.length === 0) {
		return text;
	}
	const shortest = Math.min(...known.map(({ length }) => length));
	const forms = new Set(known.flatMap(formsOf).filter(({ length }) => length >= shortestSecret));
	const places: Place[] = [];
	let work = leastWork + mostReadings * text.length;
	for (const reading of readings(text, shortest)) {
		work -= reading.text.length;
		if (work < 0) {
			return hidden;
		}
		for (const form of forms) {
			for (let at = reading.text.indexOf(form); at >= 0; at = reading.text.indexOf(form, at + 1)) {
				places.push(reading.placeOf(at, at + form.length));
			}
		}
	}
	return blackedOut(text, places);
}

const shortestSecret = 4;

const hidden = '***';

/**
 * No honest text can be read in so many ways; of one that can, nothing is shown. In characters, and
 * as a multiple of the text's.
 */
const leastWork = 100_000;
const mostReadings = 100;

type Place = readonly [start: number, end: number];

/** A secret may have in it what reads as an escape, so it is looked for as that reads, too. */
function formsOf(secret: string): string[] {
	const read = [...readings(secret, shortestSecret)].map(({ text }) => text);
	return read.filter(({ length }) => 2 * length >= secret.length);
}

function blackedOut(text: string, places: readonly Place[]): string {
	let result = '';
	let shownTo = 0;
	for (const [start, end] of [...places].sort(([a], [b]) => a - b)) {
		if (start >= shownTo) {
			result += `${text.slice(shownTo, start)}${hidden}`;
		}
		shownTo = Math.max(shownTo, end);
	}
	return result + text.slice(shownTo);
}
