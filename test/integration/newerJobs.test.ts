import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { recoverJobs } from '../../src/features/recovery/index.js';
import { until } from '../host/until.js';
import { requestOf } from '../unit/jobs/support.js';
import { atEnd } from './atEnd.js';
import { ShownMessages } from './shownMessages.js';
import { partsIn } from './studioPage.js';

suite('Images that were requested with a newer version', () => {
	test('are reported in one message with a next step, and stay as they are', async () => {
		const storage = await mkdtemp(path.join(tmpdir(), 'easel-newer-'));
		const shown = new ShownMessages(['showWarningMessage', 'showErrorMessage'], () => undefined);
		const memory = { get: () => undefined, update: () => Promise.resolve(), keys: () => [] };
		const parts = partsIn(storage, memory);
		const files: (readonly [file: string, content: string])[] = [];
		for (const state of ['upscaling', 'saved']) {
			const folder = parts.journal.folder(crypto.randomUUID());
			await mkdir(folder, { recursive: true });
			files.push(
				[path.join(folder, 'request.json'), JSON.stringify({ ...requestOf(), format: 2 })],
				[path.join(folder, 'state.json'), JSON.stringify({ format: 2, state })],
			);
		}
		for (const [file, content] of files) {
			await writeFile(file, content);
		}
		const recovering = recoverJobs(parts);
		atEnd(() => rm(storage, { recursive: true, maxRetries: 10 }));
		atEnd(() => parts.leases.dispose());
		atEnd(() => parts.dispose());
		atEnd(() => recovering.dispose());
		await until(() => shown.reported.length > 0, 'the message');
		assert.deepEqual(shown.reported, [
			'A newer version of Easel requested 2 images and will continue. Update Easel if needed, and reload the window. | Reload Window',
		]);
		for (const [file, content] of files) {
			assert.equal(await readFile(file, 'utf8'), content);
		}
	});
});
