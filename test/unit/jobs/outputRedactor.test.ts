import assert from 'node:assert/strict';
import { OutputRedactor } from '../../../src/jobs/outputRedactor.js';
import { inputFor } from './support.js';

const key = 'sk-Secret/key+d41a77_9';

// What a whole worker lets out is tested in `workerSecrets.test.ts`.
suite('jobs › outputRedactor', () => {
	const exits = (secret: string) =>
		new OutputRedactor(inputFor({ folder: '/f' }, { address: 'http://a', key: secret }));

	test('an unknown field does not say it either', () => {
		const message = { type: 'new', at: [1, { deep: { words: `say ${key}`, none: null } }] };
		assert.deepEqual(exits(key).clean(message), {
			type: 'new',
			at: [1, { deep: { words: 'say ***', none: null } }],
		});
	});

	test('change no word of ours, whatever the key is', () => {
		const changedAt = '2026-01-02T03:04:05.678Z';
		const common = { attempts: [{ number: 1, startedAt: changedAt }], changedAt };
		const failure = { kind: 'request', charge: 'notSent', field: 'references[0]' };
		const result = {
			...{ file: '/home/received/image', format: 'jpeg', contentType: 'image/jpeg' },
			...{ extension: '.jpg', sha256: 'abcd1234' },
		};
		const messages = [
			{ type: 'hello', node: '24.1.2' },
			{ type: 'attempt', endpoint: 'generations' },
			{ type: 'phase', phase: 'receiving' },
			{ type: 'failed', failure, next: { action: 'wait' } },
			{ ...common, state: 'pausing', until: changedAt },
			{ ...common, state: 'received', result, saving: 'file:///home/a.jpg' },
			{ ...common, state: 'saved', result, target: 'file:///home/a.jpg' },
		];
		for (const message of messages) {
			const words = new Set(JSON.stringify(message).match(/(?<=":")[^"]+/g));
			assert.ok(words.size > 0);
			for (const word of words) {
				assert.deepEqual(exits(word).clean(message), message, word);
			}
		}
	});

	test('hide the passwords of a proxy alone where it has one alone', () => {
		const input = inputFor({ folder: '/f' }, { address: 'http://a', key });
		for (const [change, said, left] of [
			[{ proxy: 'http://ann:pass%20word@proxy.example' }, 'ann: pass word', 'ann: ***'],
			[{ proxy: 'no address with pass%20word' }, 'pass word', 'pass word'],
			[{ proxyAuthorization: ' Basic  Ym9iOmhpZGRlbg== ' }, 'bob hidden', 'bob ***'],
			[{ proxyAuthorization: 'Basic Ym9iOmhpZGRlbg==' }, 'Basic it is', 'Basic it is'],
			// A password may have a colon; what is before the first one is no secret.
			[{ proxyAuthorization: `Basic ${btoa('bob:hid:den')}` }, 'bob, hid:den', 'bob, ***'],
			[{ proxyAuthorization: 'Bearer  some-token-1 ' }, 'is=some-token-1', 'is=***'],
			[{}, 'undefined', 'undefined'],
		] as const) {
			const exits = new OutputRedactor({ key, network: { ...input.network, ...change } });
			assert.equal(exits.cleanText(`${key}: ${said}`), `***: ${left}`);
		}
	});

	test('leave to a field of ours its own texts alone', () => {
		const clean = exits(key).clean({
			file: key,
			kind: { words: key },
			target: [key],
			words: key,
			notified: true,
		});
		assert.deepEqual(clean, {
			...{ file: key, kind: { words: '***' }, target: ['***'], words: '***', notified: true },
		});
	});

	test('say in a line what went wrong', () => {
		const said = exits(key);
		assert.equal(said.line(new Error('first\nsecond')), 'first');
		assert.equal(said.line('text\nmore'), 'text');
		assert.equal(said.line(new Error('x'.repeat(600))), 'x'.repeat(500));
		// The cut would leave half of it.
		assert.equal(said.line(`${'x'.repeat(490)} ${key}`), `${'x'.repeat(490)} ***`);
	});
});
