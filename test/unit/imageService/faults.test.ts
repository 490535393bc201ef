import assert from 'node:assert/strict';
import { errorMessage, formatOf, pictureOf, withService } from '../../service/helpers.js';
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

	const base64 = '[A-Za-z0-9+/]+';
	const answers: readonly (readonly [string, RegExp])[] = [
		['truncated-json', new RegExp(`^\\{"created":\\d+,"data":\\[\\{"b64_json":"iVBOR${base64}=*$`)],
		['broken-base64', new RegExp(`"b64_json":"${base64}!${base64}=*"`)],
		['wrong-length', new RegExp(`"b64_json":"(?:[A-Za-z0-9+/=]{4})+[A-Za-z0-9+/=]"`)],
		['no-data', /"data":\[\]/],
		['no-image', /"data":\[\{\}\]/],
		['null-image', /"b64_json":null/],
		['text-image', /"b64_json":"VGhpcyBpcyB0ZXh0/],
		['html', /^<!doctype html>/],
		['empty', /^$/],
	];
	test('Each kind of a broken answer comes with status 200', async () => {
		await withService(async (_, client) => {
			for (const [answer, pattern] of answers) {
				const prompt = `[fault answer=${answer}] [fault small]`;
				const { status, text } = await client.generate({ prompt });
				assert.equal(status, 200);
				assert.match(text, pattern, answer);
			}
			const { text } = await client.generate({ prompt: '[fault data-uri] [fault small]' });
			assert.match(text, /"data:image\/png;base64,iVBOR/);
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

	const badFaults: [string, RegExp][] = [
		['[fault]', /the fault has no effect/],
		['[fault status=500 times=0]', /times/],
		['[fault status=500 cut=body]', /cut: must not|cut/],
		['[fault retry-after=4 hold]', /retryAfter/],
		['[fault chunk-pause=4]', /chunkPause/],
		['[fault dimensions=0x5]', /dimensions/],
		['[fault answer=soup]', /answer/],
		['[fault status=500, hold]', /status/],
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
});
