import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { errorText, notedText, wordsOf } from '../../src/editor/errorTexts.js';
import type { ErrorFacts } from '../../src/easelError.js';
import { ImageError } from '../../src/images/inspect.js';
import { failureFactsSchema } from '../../src/jobs/failure.js';
import { RequestError } from '../../src/service/errors.js';
import { failureText } from '../../src/generation/failures.js';

const root = path.resolve(import.meta.dirname, '../../src');
const roomsBelow = '{service,jobs,files,images,recipes,documents,protocol}';

/** An error, or the call of its base class, whose arguments have a sentence. */
const sentence = /(?:new \w*(?:Error|Failure)|super)\([^;]*?['"`][A-Z][^'"`]* [^'"`]*\.['"`]/g;

suite('The texts of errors', () => {
	test('stand in no room below the editor', () => {
		// The check has no editor above it: it writes to the terminal itself.
		const files = globSync(`${roomsBelow}/**/*.ts`, { cwd: root }).filter(
			(file) => !file.startsWith('documents/check/cli/'),
		);
		assert.ok(files.length > 150, String(files.length));
		const wrong = [...files, 'easelError.ts'].flatMap((file) =>
			[...readFileSync(path.join(root, file), 'utf8').matchAll(sentence)].map(
				([text]) => `${file}: ${text}`,
			),
		);
		assert.deepEqual(wrong, []);
	});

	test('name what an error has to name, also within another', () => {
		const image = new ImageError('notAnImage', '/work/fox.png', undefined, 'gif');
		const words =
			'"fox.png" is a GIF image. Convert it to PNG, JPEG or WebP, or choose another image.';
		assert.equal(wordsOf(image), words);
		const request = new RequestError('references[0]', {
			code: 'reference.unfit',
			image: image.facts,
		});
		assert.equal(wordsOf(request), `${words} Nothing was sent.`);
		assert.match(request.message, /^reference\.unfit \{.*"image\.gif".*\}$/);
		assert.equal(wordsOf(new Error('EIO')), 'EIO');
	});

	test('of a newer version are shown as they are noted', () => {
		const facts = { code: 'image.fromTheFuture', name: 'a' } as unknown as ErrorFacts;
		assert.equal(errorText(facts), 'image.fromTheFuture {"name":"a"}');
	});

	suite('of failures in the journal', () => {
		const facts = { charge: 'notSent', repeatable: false, elapsedMs: 0, unknownOutcome: false };
		const read = (failure: object) => failureFactsSchema.parse({ ...facts, ...failure });

		test('are worded from their code', () => {
			const error = { code: 'reference.unreadable', fileName: 'fox.png' };
			const failure = read({ kind: 'request', message: 'reference.unreadable', error });
			const words =
				'The reference image fox.png cannot be read. Choose it again. Nothing was sent.';
			assert.equal(notedText(failure.message, failure.error), words);
			assert.equal(failureText(failure), words);
		});

		test('are the service’s own words where it has said them', () => {
			const failure = read({
				kind: 'status',
				status: 400,
				charge: 'rejected',
				message: 'No cats.',
			});
			assert.match(failureText(failure), /“?No cats\./);
		});
	});
});
