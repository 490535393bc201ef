import assert from 'node:assert/strict';
import { codeOf, isNotFound, isTransient } from '../../../src/files/fsErrors.js';

const refusal = (code: string) => Object.assign(new Error('refused'), { code });

suite('files › fsErrors', () => {
	test('that is an answer does not pass, whichever it is', () => {
		for (const code of [
			...['ENOENT', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENOTEMPTY', 'ENAMETOOLONG', 'ELOOP', 'EINVAL'],
			...['EROFS', 'EXDEV', 'EFBIG', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'],
			...['FileNotFound', 'FileExists', 'FileNotADirectory', 'FileIsADirectory'],
			...['ERR_INVALID_ARG_TYPE', 'ERR_INVALID_ARG_VALUE', 'ABORT_ERR', 'NotRegular', 'TooLarge'],
		]) {
			assert.equal(isTransient(refusal(code)), false, code);
		}
	});

	test('of the moment may pass: a file in use, a full table, a full disk', () => {
		for (const code of [
			...['EBUSY', 'EPERM', 'EACCES', 'EMFILE', 'ENFILE', 'ENOSPC', 'EIO', 'EAGAIN'],
			'Unavailable',
		]) {
			assert.equal(isTransient(refusal(code)), true, code);
			assert.equal(isNotFound(refusal(code)), false, code);
		}
	});

	test('without a code is no refusal of a file system', () => {
		for (const error of [undefined, null, 'ENOENT', new Error('x'), { code: 2 }, { code: '' }]) {
			assert.deepEqual([codeOf(error), isNotFound(error), isTransient(error)], ['', false, false]);
		}
		assert.equal(codeOf(refusal('EIO')), 'EIO');
	});
});
