import assert from 'node:assert/strict';
import { finished } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { receiveLines } from '../../../src/jobs/messageLines.js';
import { readWords } from '../../../src/languageModel/streamAnswer.js';
import { parseAnswer } from '../../../src/service/httpAnswer.js';
import { rare } from '../../host/rare';
import { assertLinear, assertLinearAsync, type Prepare } from './growth.js';
import { hardestOnly, linearTimeTests } from './suite.js';

suite('The time that foreign text takes on the thread of the extension host', () => {
	linearTimeTests(hardestOnly);
});

suite(
	'The time that one long thing takes on the thread of the extension host, in small pieces',
	() => {
		const reads: Readonly<Record<string, (text: string) => Promise<unknown>>> = {
			'an event of a language model': async (text) => {
				const data = JSON.stringify({ choices: [{ delta: { content: text } }] });
				const body = Readable.from(cut(`data: ${data}\n\ndata: [DONE]\n\n`));
				let length = 0;
				for await (const words of readWords({ headers: {}, body }, 'chat', ['test-key-5f0c1a'])) {
					length += words.length;
				}
				assert.equal(length, 32 * 1024);
			},
			'a line of a message': async (text) => {
				const values: unknown[] = [];
				const stream = Readable.from(cut(`${JSON.stringify(text)}\n`), { objectMode: false });
				receiveLines(stream, text.length * 2, (value) => values.push(value));
				await finished(stream);
				assert.deepEqual(values, [text]);
			},
			'a header of an answer': async (text) => {
				const { headers } = await parseAnswer(
					Readable.from(cut(`HTTP/1.1 200 OK\r\nx-long: ${text.slice(100)}\r\n\r\n`)),
				);
				assert.equal(headers['x-long'], text.slice(100));
			},
		};
		for (const [what, read] of Object.entries(reads)) {
			test(`grows no faster than ${what}`, async () => {
				await assertLinearAsync((length) => {
					const text = 'x'.repeat(length);
					return () => read(text);
				}, what);
			});
		}

		function* cut(text: string): Generator<Buffer> {
			const bytes = Buffer.from(text);
			for (let at = 0; at < bytes.length; at += pieceLength) {
				yield bytes.subarray(at, at + pieceLength);
			}
		}
	},
);

/** In bytes. */
const pieceLength = 256;

suite('The measurement of how time grows', () => {
	const blanks = (length: number) => `${' '.repeat(length)}a`;

	rare('refuses an expression that starts anew at each blank', () => {
		assert.throws(() => {
			assertLinear((length) => () => /\s+$/.test(blanks(length)), 'The expression');
		}, /The expression takes \d+\.\d times as long for four times the length/);
	});

	const accepted: Readonly<Record<string, Prepare>> = {
		'an expression that reads once': (length) => () => blanks(length).match(/\s+/),
		sorting: (length) => {
			const numbers = Array.from({ length }, (_, index) => (index * 7919) % 1009);
			return () => numbers.toSorted((one, other) => one - other);
		},
		'what reads no more than the beginning': (length) => () =>
			/\s+$/.test(blanks(length).slice(0, 3000)),
	};
	for (const [what, prepare] of Object.entries(accepted)) {
		test(`accepts ${what}`, () => {
			assertLinear(prepare, what);
		});
	}
});
