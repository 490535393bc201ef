import assert from 'node:assert/strict';
import fs, { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { mock } from 'node:test';
import { linkTo, moveTo } from '../../../src/files/freeName.js';
import { useFolder } from '../scratch.js';

const refusal = (code: string) => Object.assign(new Error('refused'), { code });

suite('files › freeName', () => {
	const at = useFolder();
	let source: string;
	let free: string;
	let taken: string;

	setup(async () => {
		source = at('source');
		free = at('free');
		taken = at('taken');
		await writeFile(source, 'image');
		await writeFile(taken, 'another program’s');
	});

	const contents = async () =>
		Object.fromEntries(
			await Promise.all(
				(await readdir(at())).map(
					async (name) => [name, await readFile(at(name), 'utf8')] as const,
				),
			),
		);

	test('distinguishes a link that is not supported from one that failed', async () => {
		let code = '';
		mock.method(fs, 'link', () => Promise.reject(refusal(code)));
		for (code of [
			...['EXDEV', 'EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL'],
			'UNKNOWN',
		]) {
			assert.equal(await linkTo(source, free), 'unsupported', code);
		}
		for (code of ['EIO', 'ENOSPC', 'EROFS', 'EBUSY', '']) {
			await assert.rejects(linkTo(source, free), { code });
		}
		mock.restoreAll();
		await assert.rejects(linkTo(at('gone'), free), { code: 'ENOENT' });
	});

	test('moves a file to a free name, and never over another file', async () => {
		assert.equal(await moveTo(source, taken), false);
		assert.deepEqual(await contents(), { source: 'image', taken: 'another program’s' });
		assert.equal(await moveTo(source, free), true);
		assert.deepEqual(await contents(), { free: 'image', taken: 'another program’s' });
	});

	test('reports a name when it is made and still empty', async () => {
		const reserved: unknown[] = [];
		const onReserve = async (file: string) => {
			reserved.push(file, await contents());
		};
		assert.equal(await moveTo(source, taken, onReserve), false);
		assert.equal(await moveTo(source, free, onReserve), true);
		assert.deepEqual(reserved, [free, { source: 'image', taken: 'another program’s', free: '' }]);
	});

	test('a name that could not be made, or not be filled, is free again', async () => {
		await assert.rejects(moveTo(source, at('gone/free')), { code: 'ENOENT' });
		await assert.rejects(moveTo(at('gone'), free), { code: 'ENOENT' });
		const error = refusal('EIO');
		const refusing = () => Promise.reject(error);
		await assert.rejects(moveTo(source, free, refusing), error);
		// Who also cannot remove it says what came first.
		mock.method(fs, 'rm', () => Promise.reject(refusal('EPERM')));
		await assert.rejects(moveTo(source, free, refusing), error);
		mock.restoreAll();
		await rm(free);
		assert.deepEqual(await contents(), { source: 'image', taken: 'another program’s' });
	});
});
