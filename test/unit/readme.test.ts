import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { extensionId } from '../../src/editor/extensionId.js';
import { settings } from '../../src/editor/settingTable.js';

const root = path.join(__dirname, '../..');
const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

suite('The README', () => {
	test('lists every setting once', () => {
		const listed = [...readme.matchAll(/^\| `(easel\.[\w.]+)` \|/gm)].map(([, name]) => name);
		assert.deepEqual(
			listed.sort(),
			Object.keys(settings)
				.map((key) => `easel.${key}`)
				.sort(),
		);
	});
});

suite('Who publishes it', () => {
	const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Record<
		string,
		unknown
	>;
	test('has one identifier, in the manifest and in the code', () => {
		assert.equal(extensionId, `${String(manifest['publisher'])}.${String(manifest['name'])}`);
	});
});
