import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { privateFile, privateFolder } from '../../src/files/writeWhole.js';

const root = path.resolve(__dirname, '../..');
const text = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');

suite('SECURITY.md', () => {
	const read = (name: string) => readFileSync(path.join(root, name), 'utf8');

	test('is found by those who use Easel and those who build it, and is not packaged', () => {
		for (const name of ['README.md', 'CONTRIBUTING.md']) {
			assert.ok(read(name).includes('[SECURITY.md](SECURITY.md)'), name);
		}
		const { files } = JSON.parse(read('package.json')) as { readonly files: readonly string[] };
		assert.ok(!files.includes('SECURITY.md'));
	});

	test('names the privacy that the README tells of', () => {
		assert.match(read('SECURITY.md'), /README\.md#privacy/);
		assert.match(read('README.md'), /^## Privacy$/m);
	});

	test('promises the modes that the storage has', () => {
		const modes = [privateFolder, privateFile].map((mode) => `0${mode.toString(8)}`);
		assert.deepEqual(read('SECURITY.md').match(/\b0[0-7]{3}\b/g), modes);
	});
});

suite('CONTRIBUTING.md', () => {
	test('names files that exist', () => {
		const named = [...text.matchAll(/`((?:src|test)\/[^`\s]+)`/g)].map(([, name = '']) => name);
		assert.ok(named.length > 20);
		for (const name of named) {
			assert.ok(existsSync(path.join(root, name)), name);
		}
	});

	test('follows one image in ten steps, each by a function of the file that is named', () => {
		const [, way = ''] = /## Follow one image\n([^]*?)\n## /.exec(text) ?? [];
		const steps = [...way.matchAll(/`(src\/[^`]+)`, `(\w+)`/g)];
		assert.equal(way.match(/^\d+\. /gm)?.length, 10);
		assert.ok(steps.length >= 12);
		for (const [, file = '', name = ''] of steps) {
			const source = readFileSync(path.join(root, file), 'utf8');
			assert.match(
				source,
				new RegExp(`(?:function|async) ${name}\\b`),
				`${file} has no function ${name}`,
			);
		}
	});

	test('names scripts that exist', () => {
		const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
			scripts: Readonly<Record<string, string>>;
		};
		const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
		assert.ok(named.length > 10);
		for (const name of named) {
			assert.ok(name in scripts, name);
		}
	});

	test('says of every package that is needed why', () => {
		const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Record<
			'dependencies' | 'devDependencies',
			Readonly<Record<string, string>> | undefined
		>;
		const packages = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
		for (const name of packages.filter((one) => !one.startsWith('@types/'))) {
			assert.ok(text.includes(`\`${name}\``), name);
		}
	});
});
