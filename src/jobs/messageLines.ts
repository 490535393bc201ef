import type { Readable } from 'node:stream';

/** Returns a message as it goes over a stream: one line, also for those who take U+2028 for its end. */
export function toMessageLine(message: unknown): string {
	const json = JSON.stringify(message);
	return `${json.replace(/[\u2028\u2029]/g, (end) => (end === '\u2028' ? '\\u2028' : '\\u2029'))}\n`;
}

/**
 * Calls back for each line with the value that it is the JSON of; `undefined` where it is none. A line
 * too long ends the stream.
 *
 * @param maxLength of a line, in UTF-16 code units
 */
export function receiveLines(
	stream: Readable,
	maxLength: number,
	onValue: (value: unknown) => void,
): void {
	let rest = '';
	stream.setEncoding('utf8').on('data', (piece: string) => {
		// The rest of a line is read once, when its end is here.
		const [end = '', ...others] = piece.split('\n');
		const lines = [rest + end, ...others];
		rest = lines.pop()!;
		for (const line of lines) {
			if (line.length > maxLength) {
				stream.destroy();
				return;
			}
			onValue(parsed(line));
		}
		if (rest.length > maxLength) {
			stream.destroy();
		}
	});
}

function parsed(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		return undefined;
	}
}
