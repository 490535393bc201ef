import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ImageService } from '../service/server.js';
import { until } from '../host/until.js';
import { answering } from './questions.js';
import { closeService, openService } from './service.js';
import { ShownMessages } from './shownMessages.js';
import { remove, root, setSetting } from './workspace.js';
import { rare } from '../host/rare.js';

const key = 'integration-key-of-one-address';

suite('The key of the environment', () => {
	let first: ImageService;
	let other: ImageService;

	suiteSetup(async () => {
		first = await openService({ key });
		other = await openService({ key });
	});

	suiteTeardown(async () => {
		await closeService(first);
		await closeService(other);
	});

	teardown(async () => {
		await vscode.commands.executeCommand('notifications.clearAll');
		await remove('images');
	});

	async function generate(prompt: string): Promise<string[] | undefined> {
		const made = await vscode.commands.executeCommand<vscode.Uri[] | undefined>(
			'easel.generateImage',
			{ prompt },
		);
		return made?.map((uri) => path.relative(root().fsPath, uri.fsPath));
	}

	rare('goes to another address after a question alone, and then to that one alone', async () => {
		await setSetting('easel.service.address', first.address);
		const before = await answering(undefined, () => generate('at first'));
		assert.deepEqual(before.result, [path.join('images', 'at-first.png')]);
		assert.deepEqual(before.asked, [], 'it belongs to the first address by being used');

		await setSetting('easel.service.address', other.address);
		const refused = await answering(undefined, () => generate('refused'));
		assert.equal(refused.result, undefined);
		assert.equal(other.requests.length, 0);
		const [question] = refused.asked;
		assert.equal(question?.text, `Send the key in EASEL_API_KEY to ${other.address}?`);
		assert.ok(question.modal);
		assert.ok(question.detail.includes(`only ${first.address} got this key`), question.detail);
		assert.deepEqual(question.buttons, ['Send Key', 'Set Another Key']);

		const agreed = await answering('Send Key', () => generate('agreed'));
		assert.deepEqual(agreed.result, [path.join('images', 'agreed.png')]);
		assert.equal(agreed.asked.length, 1);
		const later = await answering(undefined, () => generate('later'));
		assert.deepEqual(later.asked, []);
		assert.equal(other.requests.length, 2);

		await setSetting('easel.service.address', first.address);
		assert.equal((await answering(undefined, () => generate('back'))).asked.length, 1);
		assert.equal(first.requests.length, 1);
	});

	rare(
		'does not go along with an image that is tried again after the address has changed',
		async () => {
			await setSetting('easel.service.address', other.address);
			const before = first.requests.length;
			other.faults.add({ status: 503, message: 'Try again.', times: 4 });
			await setSetting('easel.service.retry', 'never');
			// The first failure is answered with its button, the one that follows is let be.
			const failures = new ShownMessages(['showErrorMessage'], async ({ buttons }) => {
				if (failures.all.length > 1) {
					return undefined;
				}
				await setSetting('easel.service.address', first.address);
				return buttons[0];
			});
			try {
				await answering('Send Key', () => generate('moved'));
				await until(() => failures.all.length > 1, 'the second failure');
			} finally {
				failures.dispose();
				await setSetting('easel.service.retry', undefined);
				other.faults.clear();
			}
			assert.equal(
				failures.all[1]?.text,
				`“moved”: Nothing was sent to ${first.address}: the key in EASEL_API_KEY belongs to ${other.address}.`,
			);
			assert.equal(first.requests.length, before);
		},
	);
});
