import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { inspectImage } from '../../src/images/inspect.js';
import { lockableSample, smallDisk } from '../host/walls';
import { startImageService, type ImageService } from '../service/server.js';
import { Jobs, savedImages } from './jobs';
import { Workbench } from './workbench';

const key = 'e2e-disks-key-51d8';

/** The workspace cannot take the image: it stays in the storage until it can be put somewhere. */
suite('A disk that', () => {
	let service: ImageService;
	let workbench: Workbench | undefined;
	let removeDisk: () => void;

	setup(async () => {
		removeDisk = () => {};
		service = await startImageService({ key, latencyMs: 300 });
	});

	teardown(async () => {
		await workbench?.close();
		workbench = undefined;
		removeDisk();
		await service?.close();
	});

	async function open(folder: string): Promise<Workbench> {
		const settings = { 'easel.service.address': service.address };
		workbench = await Workbench.open({ folder, settings, env: { EASEL_API_KEY: key } });
		return workbench;
	}

	/** The one image that waits in the storage to be delivered, whole. */
	async function assertKept(at: Workbench): Promise<void> {
		const [entry, ...others] = await new Jobs(at).entries();
		assert.ok(entry?.state.state === 'received' && others.length === 0);
		const { file, bytes } = entry.state.result;
		assert.equal((await inspectImage(file)).bytes, bytes);
	}

	// Only Linux lets a test make a disk that is full.
	if (process.platform === 'linux') {
		test('is full while the image is saved keeps nothing of it, and gets it when there is room', async () => {
			const disk = smallDisk();
			removeDisk = () => disk.remove();
			const at = await open(disk.folder);
			service.faults.add({ hold: true });
			await at.generate('too large');
			await service.waitForRequest(1, 'held');
			await disk.fill(at.editor);
			service.releaseHeld();
			const text = await at.waitForNotification('The image is safe');
			assert.match(text, disk.reason, disk.kind);
			assert.deepEqual(await readdir(path.join(disk.folder, 'images')), [], 'no half file');
			await assertKept(at);
			await at.screenshot('disk-full');
			disk.makeRoom();
			await at.clickNotificationButton('Retry');
			await at.waitForImage();
			assert.deepEqual(await savedImages(at), ['too-large.png']);
			assert.equal(service.imagesMade, 1);
			assert.equal(service.requests.length, 1);
		});
	}

	test('cannot be written to costs nothing, and is reported', async () => {
		const disk = lockableSample();
		removeDisk = () => disk.remove();
		const at = await open(disk.folder);
		disk.lock();
		await at.generate('for nowhere');
		const text = await at.waitForNotification('Nothing was sent');
		assert.match(text, /is not writable|already exists where a folder is needed/, disk.kind);
		assert.equal(service.requests.length, 0);
	});
});
