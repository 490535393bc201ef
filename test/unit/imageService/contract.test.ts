import assert from 'node:assert/strict';
import {
	errorMessage,
	reference,
	statedFields,
	withService,
	type Part,
} from '../../service/helpers.js';

suite('The stand-in service: contract', () => {
	const badGenerations: [string, Record<string, unknown>, RegExp][] = [
		['no model', { model: undefined }, /^model: is missing/],
		['another model', { model: 'gpt-image-1' }, /^model: must be/],
		['no prompt', { prompt: undefined }, /^prompt: is missing/],
		['an empty prompt', { prompt: ' ' }, /^prompt: must be/],
		['a prompt that is no text', { prompt: ['A fox'] }, /^prompt: must be/],
		['n above 1', { n: 2 }, /^n: must be/],
		['n as text', { n: '1' }, /^n: must be/],
		['an unknown size', { size: '512x512' }, /^size: must be/],
		['a malformed size', { size: '1024X1024' }, /^size: must be/],
		['response_format url', { response_format: 'url' }, /^response_format: must be/],
		['output_format webp', { output_format: 'webp' }, /^output_format: must be/],
		['another quality', { quality: 'medium' }, /^quality: must be/],
		['a background', { background: 'transparent' }, /^background: is not a declared/],
		['a malformed fault', { prompt: 'A [fault staus=503]' }, /^prompt: .*staus/s],
	];
	for (const [what, fields, message] of badGenerations) {
		test(`A generation with ${what} is a 400 that names the field`, async () => {
			await withService(async (service, client) => {
				assert.match(errorMessage(await client.generate(fields), 400), message);
				assert.equal(service.imagesMade, 0);
				assert.equal(service.requests[0]!.status, 400);
			});
		});
	}

	test('A generation that is no JSON object, or says another type, is a 400', async () => {
		await withService(async (_, client) => {
			const send = async (body: string | Buffer, type = 'application/json'): Promise<string> => {
				const init = { body, headers: { 'content-type': type } };
				return errorMessage(await client.generate({}, init), 400);
			};
			for (const body of ['', '{', 'nonsense', Buffer.from('{"prompt":"\xff"}', 'latin1')]) {
				assert.equal(await send(body), 'The body is not JSON.');
			}
			for (const body of ['[]', '"A fox"', 'null', '1']) {
				assert.equal(await send(body), 'The body is not a JSON object.');
			}
			assert.match(await send('{}', 'text/plain'), /^Content-Type: must be application\/json/);
			const multipart = 'multipart/form-data; boundary=x';
			assert.match(await send('{}', multipart), /^Content-Type: must be application\/json/);
		});
	});

	const blob = (type: string, bytes: BlobPart = '') => new Blob([bytes], { type });
	let [png, jpeg] = [blob('image/png'), blob('image/jpeg')];

	suiteSetup(async () => {
		[png, jpeg] = [await reference('png'), await reference('jpeg')];
	});

	const pngs = (...names: readonly string[]) => names.map((name): Part => [name, png]);
	const badEdits: [string, () => readonly Part[], readonly string[], RegExp][] = [
		['no model', () => [], ['model'], /^model: is missing/],
		['n above 1', () => [['n', '2']], ['n'], /^n: must be/],
		['quality, declared for generations only', () => [['quality', 'high']], [], /^quality: /],
		['a mask', () => pngs('mask'), [], /^mask: is not a declared/],
		['an undeclared text', () => [['user', 'me']], [], /^user: is not a declared/],
		['a text twice', () => [['prompt', 'Again']], [], /^prompt: appears more than once/],
		['a text as image', () => [['image', 'path.png']], [], /^image: must be a file/],
		['image twice', () => pngs('image', 'image'), [], /^image: appears more than once/],
		['a lone image[]', () => pngs('image[]'), [], /^image\[\]: appears once/],
		[
			'image beside image[]',
			() => pngs('image', 'image[]'),
			[],
			/^image\[\]: must not stand beside/,
		],
		[
			'a GIF',
			() => [['image', blob('image/gif', 'GIF89a')]],
			[],
			/^image: has the content type image\/gif/,
		],
		[
			'a JPEG called a PNG',
			() => [['image', blob('image/png', jpeg)]],
			[],
			/^image: the bytes of the file are not image\/png/,
		],
		[
			'an empty file',
			() => [['image', blob('image/webp')]],
			[],
			/^image: the bytes of the file are not image\/webp/,
		],
	];
	for (const [what, parts, left, message] of badEdits) {
		test(`An edit with ${what} is a 400 that names the field`, async () => {
			await withService(async (service, client) => {
				assert.match(errorMessage(await client.edit(parts(), left), 400), message);
				assert.equal(service.imagesMade, 0);
			});
		});
	}

	test('An edit that is JSON, or a broken form, is a 400', async () => {
		await withService(async (_, client) => {
			const send = async (body: string, type: string): Promise<string> => {
				const init = { body, headers: { 'content-type': type } };
				return errorMessage(await client.send('/v1/images/edits', init), 400);
			};
			const json = await send(JSON.stringify(statedFields), 'application/json');
			assert.match(json, /^Content-Type: must be multipart\/form-data/);
			const form = 'multipart/form-data; boundary=x';
			const head = '--x\r\nContent-Disposition: form-data; name="prompt"\r\n\r\nA fox';
			assert.match(await send(head, 'multipart/form-data'), /cannot be read: .*[Bb]oundary/);
			assert.match(await send(head, form), /cannot be read: Unexpected end of form/);
			const file = '--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\nA';
			assert.match(await send(file, form), /cannot be read: Unexpected end of form/);
		});
	});
});
