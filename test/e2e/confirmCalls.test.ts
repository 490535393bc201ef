import assert from 'node:assert/strict';
import { startImageService, type ImageService } from '../service/server.js';
import { Keys } from './keys.js';
import { Workbench } from './workbench.js';

const key = 'e2e-confirm-key-52c8';
const keys = new Keys({
	two: ['easel.generateImage', { prompt: 'two boats', size: '1536x1024', count: 2 }],
	one: ['easel.generateImage', { prompt: 'one boat' }],
});

suite('A key that spends money', () => {
	let service: ImageService;
	let workbench: Workbench;

	suiteSetup(async () => {
		service = await startImageService({ key });
		workbench = await Workbench.open({
			settings: {
				'easel.service.address': service.address,
				'easel.service.confirmCalls': 'oncePerSession',
				'easel.service.confirmAbove': 2,
			},
			keyBindings: keys.bindings,
			env: { EASEL_API_KEY: key },
		});
		// From here on the extension is there, and a key of it is heard.
		await workbench.findCommand('Easel: Generate Image');
		await workbench.page.keyboard.press('Escape');
	});

	suiteTeardown(async () => {
		await workbench?.close();
		await service?.close();
	});

	function dialog() {
		return workbench.page.locator('.monaco-dialog-box');
	}

	async function pressInDialog(label: string): Promise<void> {
		await dialog().getByRole('button', { name: label, exact: true }).click();
		await dialog().waitFor({ state: 'hidden' });
	}

	test('says first what it would cost, and costs nothing where a person cancels', async () => {
		await keys.press(workbench, 'two');
		await dialog().getByText('Generate 2 images?').waitFor();
		const { host } = new URL(service.address);
		for (const words of [
			'Prompt: “two boats”',
			'Size: 1536x1024',
			'Saved as: images/two-boats.png',
			`Cost: 2 requests to ${host}; each may be charged.`,
		]) {
			await dialog().getByText(words).waitFor();
		}
		await workbench.screenshot('confirm-call');
		await pressInDialog('Cancel');
		assert.equal(service.requests.length, 0);
	});

	test('asks no more in this session where a person allows that, but beyond four a minute', async () => {
		await keys.press(workbench, 'two');
		await pressInDialog('Allow for This Session');
		await service.waitUntil(() => service.requests.length === 2);
		await keys.press(workbench, 'two');
		await service.waitUntil(() => service.requests.length === 4);
		await keys.press(workbench, 'one');
		await dialog().getByText('more than 4 images within a minute').waitFor();
		await pressInDialog('Generate');
		await service.waitUntil(() => service.requests.length === 5);
	});

	test('asks about more images at once than the setting allows, with how long they take', async () => {
		const before = service.requests.length;
		await workbench.generateSeveral('three boats', 3);
		await dialog().getByText('Send 3 requests to the image service?').waitFor();
		for (const words of [/Each of them may be charged\./, /Together they usually take \d/]) {
			await dialog().getByText(words).waitFor();
		}
		await workbench.screenshot('confirm-many');
		await pressInDialog('Cancel');
		assert.equal(service.requests.length, before);
		await workbench.generateSeveral('three boats', 3);
		await pressInDialog('Send 3 Requests');
		await service.waitUntil(() => service.requests.length === before + 3);
	});
});
