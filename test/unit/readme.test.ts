import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { extensionId } from '../../src/editor/extensionId.js';
import { settings } from '../../src/editor/settingTable.js';

const root = path.join(__dirname, '../..');
const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

/** The rows of each table, with their cells. */
function tables(markdown: string): string[][][] {
	return [...markdown.matchAll(/(?:^\|.*\|\n)+/gm)].map(([table]) =>
		table
			.trimEnd()
			.split('\n')
			.map((row) => row.slice(1, -1).split(/(?<!\\)\|/)),
	);
}

suite('The README', () => {
	test('has tables with one head each, and as many cells in every row', () => {
		const all = tables(readme);
		assert.ok(all.length > 5);
		for (const rows of all) {
			const rules = rows.map((row) => row.every((cell) => /^\s*:?-+:?\s*$/.test(cell)));
			assert.deepEqual([rules.indexOf(true), rules.lastIndexOf(true)], [1, 1], rows[0]?.join('|'));
			for (const row of rows) {
				assert.equal(row.length, rows[0]?.length, row.join('|'));
			}
		}
	});

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

	const fields = ['repository', 'bugs', 'homepage'];

	test('says in one place where it lives, in all fields or in none', () => {
		const given = fields.filter((field) => field in manifest);
		assert.ok(given.length === 0 || given.length === fields.length, given.join());
		const text = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');
		const [, publish = ''] = /\n## Publish\n([^]*?)(?=\n## |\n$)/.exec(text) ?? [];
		for (const field of ['publisher', 'private', ...fields]) {
			assert.ok(publish.includes(`\`${field}\``), field);
		}
		const script = readFileSync(path.join(root, 'test/host/package.ts'), 'utf8');
		for (const option of ['--allow-missing-repository', '--no-rewrite-relative-links']) {
			assert.ok(publish.includes(option), option);
			assert.equal(script.includes(option), given.length === 0, option);
		}
	});
});
