import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { loadImage } from '@napi-rs/canvas';
import { request } from 'undici';
import {
	errorMessage,
	formatOf,
	key,
	pictureOf,
	reference,
	withService,
	type Client,
} from '../../service/helpers.js';
import type { ActiveFault, Fault } from '../../service/faults.js';

interface Item {
	readonly b64_json?: string | null;
	readonly revised_prompt?: string;
}

suite('The stand-in service: faults', () => {
	test('A status in the prompt happens as often as it says, for each prompt', async () => {
		await withService(async (service, client) => {
			const prompt = 'A fox [fault status=503 times=2 retry-after=4]';
			for (let attempt = 0; attempt < 2; attempt++) {
				const reply = await client.generate({ prompt });
				errorMessage(reply, 503);
				assert.equal(reply.headers['retry-after'], '4');
			}
			pictureOf(await client.generate({ prompt }));
			errorMessage(await client.generate({ prompt: `${prompt}!` }), 503);
			assert.equal(service.imagesMade, 1);
			service.faults.clear();
			errorMessage(await client.generate({ prompt }), 503);
		});
	});

	test('Several directives follow one another where they exclude each other', async () => {
		await withService(async (service, client) => {
			const prompt = 'A [fault status=500 times=1] fox [fault status=429 times=1][fault delay=1]';
			const statuses = [];
			for (let attempt = 0; attempt < 3; attempt++) {
				statuses.push((await client.generate({ prompt })).status);
			}
			assert.deepEqual(statuses, [500, 429, 200]);
			assert.equal(service.imagesMade, 1);
		});
	});

	test('An answer has the headers and the words of its status that are asked for', async () => {
		await withService(async (service, client) => {
			const headers = { 'x-request-id': 'mine', location: 'https://elsewhere.example/' };
			service.faults.add({ status: 308, headers, reason: 'Gone There', times: 1 });
			const reply = await client.generate();
			assert.equal(reply.headers['x-request-id'], 'mine');
			assert.equal(reply.headers['location'], 'https://elsewhere.example/');
			assert.equal(reply.statusText, 'Gone There');
			service.faults.add({ headers: { 'x-request-id': 'yours' }, times: 1 });
			const picture = await client.generate();
			assert.equal(formatOf(pictureOf(picture)), 'png 1024x1024');
			assert.deepEqual([picture.headers['x-request-id'], picture.statusText], ['yours', 'OK']);
		});
	});

	test('What shapes a picture waits until there is one', async () => {
		await withService(async (service, client) => {
			service.faults.add({ dimensions: '64x48', times: 1 }, { status: 502, times: 1 });
			errorMessage(await client.generate(), 502);
			assert.equal(formatOf(pictureOf(await client.generate())), 'png 64x48');
			assert.equal(formatOf(pictureOf(await client.generate())), 'png 1024x1024');
			assert.deepEqual(service.faults.active, []);
		});
	});

	test('A fault keeps to its endpoint and its prompt', async () => {
		await withService(async (service, client) => {
			service.faults.add({ status: 500, endpoint: 'edits' }, { status: 409, prompt: 'wolf' });
			pictureOf(await client.generate());
			errorMessage(await client.generate({ prompt: 'A wolf' }), 409);
			errorMessage(await client.edit(), 500);
		});
	});

	test('The body of a status is JSON, flat JSON, a page, text or nothing', async () => {
		await withService(async (_, client) => {
			const send = (body: string) =>
				client.generate({ prompt: `[fault status=504 message="Too slow]" body=${body}]` });
			assert.equal(errorMessage(await send('json'), 504), 'Too slow]');
			assert.deepEqual(JSON.parse((await send('flat')).text), { message: 'Too slow]' });
			const page = await send('html');
			assert.match(page.text, /^<!doctype html>/);
			assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
			assert.equal((await send('text')).text, 'Too slow]');
			const empty = await send('empty');
			assert.equal(empty.status, 504);
			assert.equal(empty.text, '');
			const flat = await client.generate({ prompt: '[fault status=402]' });
			assert.deepEqual(Object.keys(JSON.parse(flat.text) as object), ['message']);
		});
	});

	test('Retry-After may be a date', async () => {
		await withService(async (_, client) => {
			const date = 'Wed, 21 Oct 2065 07:28:00 GMT';
			const reply = await client.generate({
				prompt: `[fault status=429 retry-after="${date}"]`,
			});
			assert.equal(reply.headers['retry-after'], date);
		});
	});

	test('A delay and the latency add up', async () => {
		await withService(
			async (_, client) => {
				const start = performance.now();
				pictureOf(await client.generate({ prompt: 'A fox [fault delay=60]' }));
				assert.ok(performance.now() - start >= 95);
			},
			{ latencyMs: 40 },
		);
	});

	test('A slow body comes in pieces with pauses', async () => {
		await withService(async (_, client) => {
			const prompt = '[fault dimensions=16x16 chunk-size=200 chunk-pause=2]';
			const response = await openAnswer(client, prompt);
			let pieces = 0;
			const all: Buffer[] = [];
			for await (const piece of response.body) {
				pieces++;
				all.push(piece as Buffer);
			}
			assert.ok(pieces >= 3, `${pieces} pieces`);
			const text = Buffer.concat(all).toString();
			assert.equal(formatOf(pictureOf({ status: 200, headers: {}, text })), 'png 16x16');
		});
	});

	test('A cut before the headers makes no image, unless it is to be charged', async () => {
		await withService(async (service, client) => {
			const broken = /other side closed|ECONNRESET/;
			await assert.rejects(client.generate({ prompt: '[fault cut=headers delay=1]' }), broken);
			assert.equal(service.imagesMade, 0);
			await assert.rejects(client.generate({ prompt: '[fault cut=headers charge]' }), broken);
			assert.equal(service.imagesMade, 1);
			assert.equal((await service.waitForRequest(2, 'ended')).status, 'cut');
		});
	});

	test('A cut in the body makes an image that nobody gets', async () => {
		await withService(async (service, client) => {
			const reply = client.generate({ prompt: '[fault cut=body]' });
			await assert.rejects(reply, /terminated|other side closed|ECONNRESET/);
			assert.equal((await service.waitForRequest(1, 'ended')).status, 'cut');
			assert.equal(service.imagesMade, 1);
		});
	});

	test('Truncated JSON ends cleanly and is no JSON', async () => {
		await withService(async (_, client) => {
			const { status, text } = await client.generate({ prompt: '[fault answer=truncated-json]' });
			assert.equal(status, 200);
			assert.match(text, /^\{"created":\d+,"data":\[\{"b64_json":"iVBOR[A-Za-z0-9+/=]+$/);
		});
	});

	test('Base64 may be broken, of a wrong length, or behind the prefix of a data URI', async () => {
		await withService(async (_, client) => {
			const broken = await item('[fault answer=broken-base64]');
			assert.match(broken, /^[A-Za-z0-9+/]+![A-Za-z0-9+/=]+$/);
			assert.equal(broken.length % 4, 0);
			assert.equal((await item('[fault answer=wrong-length]')).length % 4, 1);
			const prefixed = await item('[fault data-uri]');
			assert.ok(prefixed.startsWith('data:image/png;base64,iVBOR'));

			async function item(prompt: string): Promise<string> {
				const { text } = await client.generate({ prompt });
				return (JSON.parse(text) as { data: Item[] }).data[0]!.b64_json!;
			}
		});
	});

	test('Extra fields stand on both levels, before and after the declared ones', async () => {
		await withService(async (_, client) => {
			const reply = await client.generate({
				prompt: '[fault extra-fields revised-prompt="A red \\ fox"]',
			});
			const body = JSON.parse(reply.text) as { data: Item[] };
			const names = ['id', 'debug', 'list', 'created', 'data', 'usage', 'z'];
			assert.deepEqual(Object.keys(body), names);
			const inItem = ['index', 'preview', 'tags', 'b64_json', 'revised_prompt', 'seed', 'safety'];
			assert.deepEqual(Object.keys(body.data[0]!), inItem);
			assert.equal(body.data[0]!.revised_prompt, 'A red \\ fox');
			assert.equal(formatOf(pictureOf(reply)), 'png 1024x1024');
			for (const answer of ['no-data', 'no-image', 'null-image']) {
				const { text } = await client.generate({
					prompt: `[fault answer=${answer}] [fault extra-fields revised-prompt=x]`,
				});
				assert.doesNotThrow(() => JSON.parse(text), answer);
			}
		});
	});

	test('An image of 24 MiB is a real PNG of exactly that size', async () => {
		await withService(async (_, client) => {
			const picture = pictureOf(await client.generate({ prompt: 'A fox [fault bytes=25165824]' }));
			assert.equal(picture.length, 25_165_824);
			assert.equal((await loadImage(picture)).width, 1024);
		});
	});

	test('A picture is as large as a real one unless a fault or the service makes it small', async () => {
		const length = async (client: Client, prompt: string): Promise<number> =>
			pictureOf(await client.generate({ prompt })).length;
		await withService(async (service, client) => {
			assert.ok((await length(client, 'A fox')) > 1e6);
			assert.ok((await length(client, 'A fox [fault small]')) < 0.2e6);
			service.faults.add({ small: true, times: 1 });
			assert.ok((await length(client, 'A fox')) < 0.2e6);
			assert.ok((await length(client, 'A fox')) > 1e6);
		});
		await withService(
			async (_, client) => {
				assert.ok((await length(client, 'A fox')) < 0.2e6);
				assert.ok((await length(client, 'A fox [fault small=false]')) > 1e6);
			},
			{ pictures: 'small' },
		);
	});

	test('Fewer bytes than the picture has draw it small; fewer than that change nothing', async () => {
		await withService(async (_, client) => {
			const draw = async (fault: string): Promise<Buffer> =>
				pictureOf(await client.generate({ prompt: `A fox [fault ${fault}]` }));
			const small = await draw('small');
			const padded = await draw('bytes=400000');
			assert.equal(padded.length, 400_000);
			assert.equal(formatOf(padded), 'png 1024x1024');
			assert.equal((await draw('small bytes=4000000')).length, 4_000_000);
			assert.ok((await draw('bytes=1000')).equals(small));
		});
	});

	test('A signed picture is another file of the same pixels, with a chunk before them', async () => {
		await withService(async (_, client) => {
			const plain = pictureOf(await client.generate({ prompt: 'fox [fault small]' }));
			const signed = pictureOf(await client.generate({ prompt: 'fox [fault small signed]' }));
			assert.equal(signed.toString('latin1', 37, 41), 'caBX');
			assert.ok(signed.length > plain.length);
			assert.ok(signed.subarray(-1000).equals(plain.subarray(-1000)));
			await loadImage(signed);
		});
	});

	test('The image may be missing, null, or no image', async () => {
		await withService(async (_, client) => {
			const data = async (answer: string): Promise<Item[]> => {
				const { text } = await client.generate({ prompt: `[fault answer=${answer}]` });
				return (JSON.parse(text) as { data: Item[] }).data;
			};
			assert.deepEqual(await data('no-data'), []);
			assert.deepEqual(await data('no-image'), [{}]);
			assert.deepEqual(await data('null-image'), [{ b64_json: null }]);
			const [text] = await data('text-image');
			assert.match(Buffer.from(text!.b64_json!, 'base64').toString(), /^This is text/);
		});
	});

	test('A page or nothing at all may come with 200', async () => {
		await withService(async (_, client) => {
			const page = await client.generate({ prompt: '[fault answer=html]' });
			assert.equal(page.status, 200);
			assert.match(page.text, /^<!doctype html>/);
			const empty = await client.generate({ prompt: '[fault answer=empty]' });
			assert.equal(empty.status, 200);
			assert.equal(empty.text, '');
		});
	});

	test('An endless body goes on until the client leaves', async () => {
		await withService(async (service, client) => {
			const response = await openAnswer(client, '[fault answer=endless]');
			let size = 0;
			for await (const piece of response.body) {
				size += (piece as Buffer).length;
				if (size > 20 * 1024 * 1024) {
					break;
				}
			}
			assert.equal((await service.waitForRequest(1, 'ended')).status, 'aborted');
		});
	});

	test('A held request is answered when it is released', async () => {
		await withService(async (service, client) => {
			const reply = client.generate({ prompt: 'A fox [fault hold]' });
			await service.waitForRequest(1, 'held');
			assert.equal(service.imagesMade, 0);
			assert.equal(service.releaseHeld(), 1);
			pictureOf(await reply);
			assert.equal(service.imagesMade, 1);
		});
	});

	for (const hold of ['hold', 'hold=body']) {
		test(`A request that is released before it is held (${hold}) is answered`, async () => {
			await withService(
				async (service, client) => {
					const reply = client.generate({ prompt: `A fox [fault ${hold}]` });
					await service.waitForRequest(1, 'received');
					assert.equal(service.releaseHeld('A hen'), 0);
					assert.equal(service.releaseHeld(), 1);
					pictureOf(await reply);
					assert.equal(service.releaseHeld(), 0);
				},
				{ latencyMs: 100 },
			);
		});
	}

	test('An answer can be held about half-way through its body', async () => {
		await withService(async (service, client) => {
			const response = await openAnswer(client, '[fault hold=body bytes=300000]');
			await service.waitForRequest(1, 'held');
			assert.equal(service.imagesMade, 1);
			const pieces: Buffer[] = [];
			let released = 0;
			for await (const piece of response.body) {
				pieces.push(piece as Buffer);
				if (released === 0 && Buffer.concat(pieces).length > 100_000) {
					released = service.releaseHeld();
				}
			}
			assert.equal(released, 1);
			const text = Buffer.concat(pieces).toString();
			assert.equal(pictureOf({ status: 200, headers: {}, text }).length, 300_000);
		});
	});

	test('A cut follows where the answer was held', async () => {
		await withService(async (service, client) => {
			const reply = client.generate({ prompt: '[fault hold=body][fault cut=body]' });
			const broken = assert.rejects(reply, /terminated|other side closed|ECONNRESET/);
			await service.waitForRequest(1, 'held');
			service.releaseHeld();
			await broken;
			assert.equal((await service.waitForRequest(1, 'ended')).status, 'cut');
		});
	});

	test('A request can be held before its body is read', async () => {
		await withService(async (service, client) => {
			service.faults.add({ hold: 'request', endpoint: 'edits', times: 1 });
			pictureOf(await client.generate());
			// More than the buffers between the two processes take.
			const large = Buffer.alloc(24 * 1024 * 1024, await (await reference()).bytes());
			let read = 0;
			const body = Readable.from(piecesOf(formWith(large), (size) => (read += size)));
			const headers = { 'content-type': 'multipart/form-data; boundary=b' };
			const reply = client.send('/v1/images/edits', { body, headers });
			const { fields } = await service.waitForRequest(2, 'held');
			assert.deepEqual(fields, []);
			assert.ok(read < large.length, 'the client is still sending');
			assert.equal(service.releaseHeld(), 1);
			pictureOf(await reply);
			assert.equal(service.requests[1]!.references[0]!.size, large.length);
			pictureOf(await client.edit([['image', await reference()]]));
		});
	});

	test('A client that left while its request was held has asked for nothing', async () => {
		await withService(async (service, client) => {
			service.faults.add({ hold: 'request' });
			const leave = new AbortController();
			const reply = assert.rejects(client.generate({}, { signal: leave.signal }));
			await service.waitForRequest(1, 'held');
			leave.abort();
			await reply;
			assert.equal((await service.waitForRequest(1, 'ended')).status, 'aborted');
			assert.equal(service.imagesMade, 0);
			assert.equal(service.releaseHeld(), 0);
		});
	});

	for (const [whenAbandoned, images, outcome] of [
		['finish', 1, 'made and charged'],
		['stop', 0, 'not made where the service is told so'],
	] as const) {
		test(`An image whose client left is ${outcome}`, async () => {
			await withService(
				async (service, client) => {
					const leave = new AbortController();
					const init = { signal: leave.signal };
					const held = assert.rejects(client.generate({ prompt: '[fault hold]' }, init));
					await service.waitForRequest(1, 'held');
					leave.abort();
					await held;
					await service.waitForRequest(1, 'ended');
					assert.equal(service.requests[0]!.status, 'aborted');
					assert.equal(service.imagesMade, images);
				},
				{ whenAbandoned },
			);
		});
	}

	test('An image is finished after its time although the client left before', async () => {
		await withService(
			async (service, client) => {
				const leave = new AbortController();
				const reply = assert.rejects(client.generate({}, { signal: leave.signal }));
				await service.waitForRequest(1);
				leave.abort();
				await reply;
				await service.waitForRequest(1, 'left');
				assert.equal(service.imagesMade, 0);
				await service.waitForRequest(1, 'ended');
				assert.equal(service.imagesMade, 1);
			},
			{ latencyMs: 400 },
		);
	});

	const badFaults: [string, RegExp][] = [
		['[fault]', /the fault has no effect/],
		['[fault times=2]', /the fault has no effect/],
		['[fault status=abc]', /status/],
		['[fault status=700]', /status/],
		['[fault status=500 times=0]', /times/],
		['[fault status=500 cut=body]', /cut: must not|cut/],
		['[fault retry-after=4 hold]', /retryAfter/],
		['[fault chunk-pause=4]', /chunkPause/],
		['[fault dimensions=0x5]', /dimensions/],
		['[fault answer=soup]', /answer/],
		['[fault status=500, hold]', /status/],
		['[fault hold=soup]', /hold/],
		['[fault hold=request]', /comes too late/],
		['[fault hold=request delay=1]', /must stand alone/],
		['[fault =500]', /"=500" is no setting/],
	];
	for (const [prompt, message] of badFaults) {
		test(`The directive ${prompt} is refused, not ignored`, async () => {
			await withService(async (_, client) => {
				assert.match(errorMessage(await client.generate({ prompt }), 400), message);
			});
		});
	}

	test('Faults are switched by a program with the same checks', async () => {
		await withService(async (service, client) => {
			const wrong = { status: 503, time: 2 } as Fault;
			assert.throws(() => service.faults.add({ hold: true }, wrong), /time/);
			assert.throws(() => service.faults.add({ hold: 'request', prompt: 'fox' }), /alone/);
			assert.deepEqual(service.faults.active, []);
			service.faults.add({ status: 503, times: 2 });
			errorMessage(await client.generate(), 503);
			assert.equal((service.faults.active as readonly ActiveFault[])[0]!.left, 1);
		});
	});

	test('Faults are switched from outside, and the state is read there', async () => {
		await withService(async (service, client) => {
			const post = (body: unknown) =>
				client.send('/control/faults', {
					body: JSON.stringify(body),
					headers: { 'content-type': 'application/json', authorization: '' },
				});
			assert.equal((await post([{ status: 503, times: 1 }, { delay: 1 }])).status, 201);
			assert.equal((await post({ hold: true, endpoint: 'edits' })).status, 201);
			assert.match(errorMessage(await post({ status: 503, when: 'now' }), 400), /when/);
			errorMessage(await client.generate(), 503);

			const edit = client.edit([['image', await reference()]]);
			await service.waitForRequest(2, 'held');
			const released = await client.send('/control/release');
			assert.deepEqual(JSON.parse(released.text), { released: 1 });
			pictureOf(await edit);

			const cleared = await client.send('/control/faults', { method: 'DELETE' });
			assert.equal(cleared.status, 200);
			const state = await client.send('/control/state', { method: 'GET' });
			const { imagesMade, faults, requests } = JSON.parse(state.text) as Record<string, unknown[]>;
			assert.equal(imagesMade, 1);
			assert.deepEqual(faults, []);
			assert.equal(requests!.length, 2);
			assert.ok(!state.text.includes(key));

			const wrong = await client.send('/control/faults', { method: 'GET' });
			errorMessage(wrong, 405);
			assert.equal(wrong.headers.allow, 'POST, DELETE');
			errorMessage(await client.send('/control/nothing'), 404);
			assert.equal(service.requests.length, 2);
		});
	});
});

/** Asks for an image and returns when the answer begins; its body is for the test to read. */
function openAnswer({ address, dispatcher }: Client, prompt: string) {
	return request(`${address}/v1/images/generations`, {
		dispatcher,
		method: 'POST',
		headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
		body: JSON.stringify({ model: 'std-image-2', prompt }),
	});
}

/** A multipart form with the boundary `b`, a prompt and one reference image. */
function formWith(image: Buffer): Buffer {
	const part = (head: string) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n`;
	const fields = Object.entries({ model: 'std-image-2', prompt: 'Make it blue' });
	return Buffer.concat([
		Buffer.from(fields.map(([name, value]) => `${part(`name="${name}"`)}${value}\r\n`).join('')),
		Buffer.from(part('name="image"; filename="a.png"\r\nContent-Type: image/png')),
		image,
		Buffer.from('\r\n--b--\r\n'),
	]);
}

function* piecesOf(whole: Buffer, onPiece: (size: number) => void): Generator<Buffer> {
	for (let at = 0; at < whole.length; at += 65_536) {
		const piece = whole.subarray(at, at + 65_536);
		onPiece(piece.length);
		yield piece;
	}
}
