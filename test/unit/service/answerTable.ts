import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';

/** The body of an answer with status 2xx, and what becomes of it. */
export interface AnswerRow {
	readonly body: string | Buffer;
	/** Value of `Content-Encoding`, where it has one. */
	readonly coding?: string;
	/** `image`; else the code of the failure, where `words` are those of the service. */
	readonly outcome: 'image' | `answer.${string}` | 'words';
	/** The words that are shown of a failure. */
	readonly shown?: RegExp;
}

/** The key of those who are sent these answers; one of them repeats it. */
export const answerKey = 'a-key-for-answers-1';

/**
 * Answers as services, gateways and proxies send them. What is understood gives exactly this image;
 * an answer that is not understood stays as it came.
 */
export function answerTable(image: Buffer): Readonly<Record<string, AnswerRow>> {
	const base64 = image.toString('base64');
	const plain = JSON.stringify({ created: 1, data: [{ b64_json: base64 }] });
	const gzip = gzipSync(plain);
	/** With another byte, counted from the end. */
	const wrongAt = (fromEnd: number) => {
		const wrong = Buffer.from(gzip);
		wrong[wrong.length - fromEnd]! ^= 0xff;
		return wrong;
	};
	const behind = (...more: readonly (string | Buffer)[]) =>
		Buffer.concat([gzip, ...more.map((one) => Buffer.from(one))]);
	const understood: Readonly<Record<string, string | Buffer>> = {
		'as specified': plain,
		'fields of any name around it': `{"usage":{"b64_json":"x"},"data":[{"a":[1,"b"],"b64_json":"${base64}"}],"b64_json":"no"}`,
		'a byte order mark': `\ufeff${plain}`,
		'blanks of a heartbeat': ' \n'.repeat(50_000) + plain,
		'the URL-safe alphabet': plain.replaceAll('+', '-').replaceAll('/', '_'),
		'both alphabets': plain.replace('/', '_'),
		'no padding': plain.replace(/=+/, ''),
		'line breaks in JSON': plain.replace(base64, base64.replace(/.{76}/g, '$&\\r\\n')),
		'raw line breaks': plain.replace(base64, base64.replace(/.{76}/g, '$&\n')),
		'escaped slashes': plain.replaceAll('/', '\\/'),
		'other escapes': plain.replaceAll('+', '\\u002B').replaceAll('A', '\\u0041'),
		'a data URI': plain.replace(base64, `data:image/png;charset=utf-8;base64,${base64}`),
		'a data URI in its URL': `{"data":[{"b64_json":"","url":"data:image/png;base64,${base64}"}]}`,
		'null first': `{"data":[{"b64_json":null},{"b64_json":""},{"b64_json":"${base64}"}]}`,
		'no item first': `{"data":[null,7,{"b64_json":"${base64}"}]}`,
		'an item that is no image first': `{"data":[{"b64_json":"aGk="},{"b64_json":"${base64}"}]}`,
		'an error beside it': `{"error":null,"message":"done","data":[{"b64_json":"${base64}"}]}`,
		'something behind it': `${plain}\n{"more":1}<html>`,
		'broken off behind the image': plain.slice(0, -3),
		'the image itself': image,
		'gzip that it does not mention': gzip,
		'gzip in two members': Buffer.concat([
			gzipSync(plain.slice(0, 300)),
			gzipSync(plain.slice(300)),
		]),
		'gzip with a file name, a comment and more in its head': Buffer.concat([
			Buffer.from([0x1f, 0x8b, 8, 0x1e, 0, 0, 0, 0, 0, 3, 2, 0, 1, 2]),
			Buffer.from('answer.json\0a comment\0\x01\x02', 'latin1'),
			gzip.subarray(10),
		]),
		'gzip without checksum and length': gzip.subarray(0, -8),
		'gzip with half a length': gzip.subarray(0, -2),
		'gzip with a wrong checksum': wrongAt(8),
		'gzip with a wrong length': wrongAt(1),
		'gzip with words behind it': behind('\r\ngarbage'),
		'gzip with zeros behind it': behind(Buffer.alloc(9)),
		'gzip with a second answer behind it': behind(gzip),
		'gzip with a plain answer behind it': behind(plain),
		'gzip with the start of another one behind it': behind(gzip.subarray(0, 5)),
	};
	// Its best would take seconds.
	const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
	const damaged = Buffer.from(gzip).fill(0xff, 12, 40);
	const item = (content: string) => `{"data":[{"b64_json":"${content}"}]}`;
	const linked = (url: string) => `{"data":[{"url":"${url}"}]}`;
	const refused = (code: string, body: string | Buffer, shown?: RegExp): AnswerRow => ({
		body,
		outcome: `answer.${code}`,
		...(shown === undefined ? {} : { shown }),
	});
	const said = (body: string, shown = /^Not so\.$/): AnswerRow => ({
		body,
		outcome: 'words',
		shown,
	});
	return {
		...Object.fromEntries(
			Object.entries(understood).map(([name, body]) => [name, { body, outcome: 'image' as const }]),
		),
		gzip: { body: gzip, coding: ' GZip ', outcome: 'image' },
		br: { body: brotliCompressSync(plain, quick), coding: 'br', outcome: 'image' },
		'plain, and says gzip': { body: plain, coding: 'gzip', outcome: 'image' },
		'plain, and says br': { body: plain, coding: 'br', outcome: 'image' },
		'gzip, and says br': { body: gzip, coding: 'br', outcome: 'image' },
		'a coding that is unknown': { body: plain, coding: 'constructor', outcome: 'image' },

		'gzip, twice': { body: gzipSync(gzip), coding: 'gzip, gzip', outcome: 'answer.notJson' },
		zstd: { body: zstdCompressSync(plain), coding: 'zstd', outcome: 'answer.notJson' },
		'no gzip, and says so': { body: 'no gzip', coding: 'gzip', outcome: 'answer.notJson' },
		'gzip that is damaged': refused('notJson', damaged),
		'gzip of nothing': refused('notJson', gzipSync('')),
		nothing: refused('empty', '', /without an image/),
		'blanks alone': refused('empty', ' \n '),
		'two zeros': refused('notJson', '\0\0'),
		'a byte order mark alone': refused('notJson', '\ufeff'),
		'a web page': refused('html', '\n<!DOCTYPE html><html>Sign in', /web page.*service address/),
		words: refused('notJson', `upstream ${answerKey} failed`, /not JSON/),
		'broken JSON': refused('notJson', '{"data": [}'),
		'a JSON text': refused('notJson', '"text"'),
		'cut within the image': refused('truncated', plain.slice(0, plain.length / 2), /ends before/),
		'a character that is no base64': refused('brokenBase64', item('aGk!'), /damaged/),
		'padding within': refused('brokenBase64', item('a=Gk')),
		'a letter that is no base64': refused('brokenBase64', item('aGké')),
		'one character too many': refused('brokenBase64', item('a')),
		'an unknown escape': refused('notJson', item('aGk\\x')),
		'a broken escape': refused('notJson', item('aGk=\\uU063')),
		'text as its image': refused('notAnImage', item('VGhpcyBpcyB0ZXh0'), /not an image/),
		'an empty item': refused('missingImage', '{"data":[{}]}', /no image/),
		'no items': refused('missingImage', '{"data":[]}'),
		'a list': refused('missingImage', '[]'),
		'an empty image': refused('missingImage', item('')),
		'a link': refused('link', linked('https://cdn.example/a.png?s=1'), /link instead/),
		'a link that is none to the web': refused('missingImage', linked('javascript:alert(1)')),
		'too much beside the image': refused(
			'tooMuch',
			`{"more":[${'1,'.repeat(600_000)}1],"data":[{"b64_json":"aGk="}]}`,
		),
		'an error': said('{"error":{"message":" Not so. ","code":"moderation_blocked"}}'),
		'an error beside no items': said('{"data":[],"error":{"message":"Not so."}}'),
		'a message alone': said('{"message":"Not so."}'),
		'a detail and a code': said('{"error_code":"E7","detail":"Not so."}'),
		'a code alone': said('{"error":{"code":402}}', /^402$/),
		'an error that repeats the key': said(
			`{"error":{"message":"Not with ${answerKey}."}}`,
			/^Not with \*\*\*\.$/,
		),
		'an error with a long text': said(
			`{"error":{"message":"${'long '.repeat(40_000)}"}}`,
			/^long long /,
		),
	};
}

const mebibyte = 1024 * 1024;
const large = 24 * mebibyte;

/** An answer that is made to exhaust memory, in pieces; one for each bound that holds it. */
export interface HugeAnswer {
	readonly status?: number;
	readonly coding?: 'gzip';
	readonly pieces: Iterable<string | Buffer>;
	readonly outcome: AnswerRow['outcome'];
}

export function hugeAnswers(image: Buffer): Readonly<Record<string, HugeAnswer>> {
	const base64 = image.toString('base64');
	return {
		'24 MiB of [': { pieces: repeated('[', large), outcome: 'answer.tooMuch' },
		'16 MiB of {},': {
			pieces: repeated('{},', 16 * mebibyte, '{"data":['),
			outcome: 'answer.tooMuch',
		},
		'a name of 24 MiB': { pieces: repeated('x', large, '{"'), outcome: 'answer.truncated' },
		'a text of 24 MiB before the image': {
			pieces: repeated('x', large, '{"a":"', `","data":[{"b64_json":"${base64}"}]}`),
			outcome: 'image',
		},
		'24 MiB of [ behind the image': {
			pieces: repeated('[', large, `{"data":[{"b64_json":"${base64}"}],"more":`),
			outcome: 'image',
		},
		'300 images': {
			pieces: repeated(
				`,{"b64_json":"${base64}"}`,
				300 * base64.length,
				`{"data":[{"b64_json":"${base64}"}`,
				']}',
			),
			outcome: 'image',
		},
		'an image of 24 MiB of escapes': {
			pieces: repeated('\\u0041', large, '{"data":[{"b64_json":"'),
			outcome: 'answer.truncated',
		},
		'a gzip bomb of [': {
			coding: 'gzip',
			pieces: repeated('[', 200 * mebibyte),
			outcome: 'answer.tooMuch',
		},
		'an error with a gzip bomb': {
			status: 400,
			coding: 'gzip',
			pieces: repeated('x', 200 * mebibyte, '{"message":"'),
			outcome: 'words',
		},
	};
}

/** A text over and over, so many bytes of it, with something around. */
function* repeated(
	text: string,
	bytes: number,
	before = '',
	behind = '',
): Generator<string | Buffer> {
	yield before;
	const piece = Buffer.from(text.repeat(Math.ceil((64 * 1024) / text.length)));
	for (let left = bytes; left > 0; left -= piece.length) {
		yield piece;
	}
	yield behind;
}
