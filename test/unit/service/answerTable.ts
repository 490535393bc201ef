import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

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
		deflate: { body: deflateSync(plain), coding: 'deflate', outcome: 'answer.notJson' },
		'gzip that is damaged': { body: damaged, outcome: 'answer.notJson' },
		'gzip of nothing': { body: gzipSync(''), outcome: 'answer.notJson' },
		'no gzip, and says so': { body: 'no gzip', coding: 'gzip', outcome: 'answer.notJson' },
		nothing: { body: '', outcome: 'answer.empty', shown: /without an image/ },
		'blanks alone': { body: ' \n ', outcome: 'answer.empty' },
		'two zeros': { body: '\0\0', outcome: 'answer.notJson' },
		'a byte order mark alone': { body: '\ufeff', outcome: 'answer.notJson' },
		'a web page': {
			body: '\n<!DOCTYPE html><html>Sign in',
			outcome: 'answer.html',
			shown: /web page.*service address/,
		},
		words: { body: `upstream ${answerKey} failed`, outcome: 'answer.notJson', shown: /not JSON/ },
		'broken JSON': { body: '{"data": [}', outcome: 'answer.notJson' },
		'a JSON text': { body: '"text"', outcome: 'answer.notJson' },
		'cut within the image': {
			body: plain.slice(0, plain.length / 2),
			outcome: 'answer.truncated',
			shown: /ends before/,
		},
		'a character that is no base64': {
			body: item('aGk!'),
			outcome: 'answer.brokenBase64',
			shown: /damaged/,
		},
		'padding within': { body: item('a=Gk'), outcome: 'answer.brokenBase64' },
		'a letter that is no base64': { body: item('aGké'), outcome: 'answer.brokenBase64' },
		'one character too many': { body: item('a'), outcome: 'answer.brokenBase64' },
		'an unknown escape': { body: item('aGk\\x'), outcome: 'answer.notJson' },
		'a broken escape': { body: item('aGk=\\uU063'), outcome: 'answer.notJson' },
		'text as its image': {
			body: item('VGhpcyBpcyB0ZXh0'),
			outcome: 'answer.notAnImage',
			shown: /not an image/,
		},
		'an empty item': { body: '{"data":[{}]}', outcome: 'answer.missingImage', shown: /no image/ },
		'no items': { body: '{"data":[]}', outcome: 'answer.missingImage' },
		'a list': { body: '[]', outcome: 'answer.missingImage' },
		'an empty image': { body: item(''), outcome: 'answer.missingImage' },
		'a link': {
			body: '{"data":[{"url":"https://cdn.example/a.png?s=1"}]}',
			outcome: 'answer.link',
			shown: /link instead/,
		},
		'a link that is none to the web': {
			body: '{"data":[{"url":"javascript:alert(1)"}]}',
			outcome: 'answer.missingImage',
		},
		'too much beside the image': {
			body: `{"more":[${'1,'.repeat(600_000)}1],"data":[{"b64_json":"aGk="}]}`,
			outcome: 'answer.tooMuch',
		},
		'an error': {
			body: '{"error":{"message":" Not so. ","code":"moderation_blocked"}}',
			outcome: 'words',
			shown: /^Not so\.$/,
		},
		'an error beside no items': {
			body: '{"data":[],"error":{"message":"Not so."}}',
			outcome: 'words',
			shown: /^Not so\.$/,
		},
		'a message alone': { body: '{"message":"Not so."}', outcome: 'words', shown: /^Not so\.$/ },
		'an error that is a text': {
			body: '{"error":"Not so."}',
			outcome: 'words',
			shown: /^Not so\.$/,
		},
		'a detail and a code': {
			body: '{"error_code":"E7","detail":"Not so."}',
			outcome: 'words',
			shown: /^Not so\.$/,
		},
		'a code alone': { body: '{"error":{"code":402}}', outcome: 'words', shown: /^402$/ },
		'an error that repeats the key': {
			body: `{"error":{"message":"Not with ${answerKey}."}}`,
			outcome: 'words',
			shown: /^Not with \*\*\*\.$/,
		},
		'an error with a long text': {
			body: `{"error":{"message":"${'long '.repeat(40_000)}"}}`,
			outcome: 'words',
			shown: /^long long /,
		},
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
