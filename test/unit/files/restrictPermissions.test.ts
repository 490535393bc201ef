import assert from 'node:assert/strict';
import fs, { chmod, mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { mock } from 'node:test';
import { restrictPermissions } from '../../../src/files/restrictPermissions.js';
import { useFolder } from '../scratch.js';

// Windows has no modes to look at.
if (process.platform !== 'win32') {
	suite('files › restrictPermissions', () => {
		const at = useFolder();

		const modeOf = async (file: string) => (await stat(file)).mode & 0o777;

		test('takes from others what they had, and nothing from its owner', async () => {
			for (const [before, after] of [
				[0o755, 0o700],
				[0o700, 0o700],
				[0o555, 0o500],
			] as const) {
				await mkdir(at('storage'));
				await chmod(at('storage'), before);
				await restrictPermissions(at('storage'));
				assert.equal(await modeOf(at('storage')), after);
				await rm(at('storage'), { recursive: true });
			}
		});

		test('leaves alone what is no folder of ours, or not there', async () => {
			await mkdir(at('elsewhere'), { mode: 0o755 });
			await symlink(at('elsewhere'), at('link'));
			await writeFile(at('file'), '', { mode: 0o644 });
			for (const name of ['link', 'file', 'gone', 'file/deeper']) {
				await restrictPermissions(at(name));
			}
			assert.equal(await modeOf(at('elsewhere')), 0o755);
			assert.equal(await modeOf(at('file')), 0o644);
			await assert.rejects(stat(at('gone')), { code: 'ENOENT' });
		});

		test('changes nothing where nothing is open, and says where what is stays so', async () => {
			const refusal = Object.assign(new Error('refused'), { code: 'EPERM' });
			const changing = mock.method(fs, 'chmod', () => Promise.reject(refusal));
			await mkdir(at('closed'), { mode: 0o700 });
			await restrictPermissions(at('closed'));
			assert.equal(changing.mock.callCount(), 0);
			await mkdir(at('storage'), { mode: 0o755 });
			await assert.rejects(restrictPermissions(at('storage')), refusal);
		});

		test('does nothing on Windows', async () => {
			await mkdir(at('storage'), { mode: 0o755 });
			await restrictPermissions(at('storage'), 'win32');
			assert.equal(await modeOf(at('storage')), 0o755);
		});
	});
}
