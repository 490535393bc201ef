import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { Log } from '../../../src/editor/log.js';
import { ApiKeys, keyProblem } from '../../../src/editor/secrets.js';

suite('editor › API keys', () => {
	let stored: Map<string, string>;
	let hidden: string[];
	let keys: ApiKeys;

	setup(() => {
		stored = new Map();
		hidden = [];
		// The real storage can only be reached by the extension itself; the end-to-end tests do so.
		const storage = {
			get: (name: string) => Promise.resolve(stored.get(name)),
			store: (name: string, value: string) => Promise.resolve(void stored.set(name, value)),
			delete: (name: string) => Promise.resolve(void stored.delete(name)),
		};
		keys = new ApiKeys(
			storage as unknown as vscode.SecretStorage,
			{ hide: (secret: string) => hidden.push(secret) } as unknown as Log,
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

	test('are hidden from the log before anybody can use them', async () => {
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
