import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { logTo } from '../../../src/log.js';
import { ApiKeys, keyProblem } from '../../../src/editor/secrets.js';

suite('editor › API keys', () => {
	let stored: Map<string, string>;
	let hidden: string[];
	let remembered: Map<string, unknown>;
	let keys: ApiKeys;

	setup(() => {
		stored = new Map();
		hidden = [];
		remembered = new Map();
		// The real storage can only be reached by the extension itself; the end-to-end tests do so.
		const storage = {
			get: (name: string) => Promise.resolve(stored.get(name)),
			store: (name: string, value: string) => Promise.resolve(void stored.set(name, value)),
			delete: (name: string) => Promise.resolve(void stored.delete(name)),
		};
		const state = {
			get: (name: string) => remembered.get(name),
			update: (name: string, value: unknown) => Promise.resolve(void remembered.set(name, value)),
		};
		logTo({ hide: (secret) => hidden.push(secret) });
		keys = new ApiKeys(
			storage as unknown as vscode.SecretStorage,
			state as unknown as vscode.Memento,
		);
	});

	teardown(() => {
		delete process.env['EASEL_API_KEY'];
	});

	const one = 'https://one.example.com';
	const other = 'https://other.example.com';

	test('belong to one address: another address never gets them', async () => {
		await keys.set(one, 'key-of-one');
		assert.deepEqual(await keys.get(one), { key: 'key-of-one', source: 'stored' });
		assert.equal(await keys.get(other), undefined);
		assert.equal(await keys.get(`${one}.evil.example`), undefined);
		assert.equal(await keys.get(`${one}:8443`), undefined);
		assert.equal(await keys.remove(other), false);
		assert.ok(await keys.get(one));
		assert.equal(await keys.remove(one), true);
		assert.equal(await keys.get(one), undefined);
	});

	test('come from the environment only where none is stored', async () => {
		process.env['EASEL_API_KEY'] = ' from-environment ';
		assert.deepEqual(await keys.get(one), { key: 'from-environment', source: 'environment' });
		await keys.set(one, 'stored-one');
		assert.deepEqual(await keys.get(one), { key: 'stored-one', source: 'stored' });
		process.env['EASEL_API_KEY'] = '  ';
		assert.equal(await keys.get(other), undefined);
	});

	suite('of the environment', () => {
		const key = 'from-environment';

		setup(() => {
			process.env['EASEL_API_KEY'] = key;
		});

		test('belong to the first address that they are taken for: another one gets none', async () => {
			assert.deepEqual(await keys.take(one), { key, source: 'environment' });
			for (const find of [() => keys.get(other), () => keys.take(other)]) {
				assert.deepEqual(await find(), { source: 'elsewhere', address: one });
			}
			assert.deepEqual(await keys.take(one), { key, source: 'environment' });
		});

		test('belong to no address while they are only looked at', async () => {
			await keys.get(one);
			await keys.get(other);
			assert.deepEqual(await keys.take(other), { key, source: 'environment' });
		});

		test('go to another address where the user says so, and no longer to the first', async () => {
			await keys.take(one);
			await keys.moveEnvironmentKey(other);
			assert.deepEqual(await keys.take(other), { key, source: 'environment' });
			assert.deepEqual(await keys.take(one), { source: 'elsewhere', address: other });
		});

		test('are each a key of its own, whatever the variable has held before', async () => {
			await keys.take(one);
			process.env['EASEL_API_KEY'] = 'a-new-one';
			assert.deepEqual(await keys.take(other), { key: 'a-new-one', source: 'environment' });
			process.env['EASEL_API_KEY'] = key;
			assert.deepEqual(await keys.take(other), { source: 'elsewhere', address: one });
		});

		test('do not belong to an address that has a stored one', async () => {
			await keys.set(one, 'stored-one');
			await keys.take(one);
			assert.deepEqual(await keys.take(other), { key, source: 'environment' });
		});

		test('are not what is remembered, and what is damaged there counts as nothing', async () => {
			await keys.take(one);
			assert.doesNotMatch(JSON.stringify([...remembered]), /from-environment/);
			for (const name of remembered.keys()) {
				remembered.set(name, 'damaged');
			}
			assert.deepEqual(await keys.take(other), { key, source: 'environment' });
		});
	});

	test('are hidden from the log before they can be used', async () => {
		process.env['EASEL_API_KEY'] = 'from-environment';
		await keys.get(one);
		await keys.set(other, 'another');
		assert.deepEqual(hidden, ['from-environment', 'another']);
	});

	test('are checked for what no header can carry', () => {
		assert.equal(keyProblem(' sk-abc_DEF.123 '), undefined);
		for (const text of ['', '  ', 'a b', 'a\nb', 'schlüssel', 'a\u0007b']) {
			assert.ok(keyProblem(text), JSON.stringify(text));
		}
	});
});
