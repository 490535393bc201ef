import assert from 'node:assert/strict';
import { startImageService, type ImageService } from '../service/server.js';
import type { MannerName } from '../service/manners.js';
import { themes, Workbench } from './workbench.js';

const key = 'e2e-set-up-key-7c20';

/** Kinds of services, from that without a key on; each has what is asked about it alone. */
const kinds = {
	local: { label: 'Local or other server', found: /lists 1 model; |lists 1 model\./ },
	openai: { label: 'OpenAI or a proxy of it', found: /lists 5 models, with gpt-image-2\.5-flare/ },
	azure: { label: 'Azure OpenAI behind a gateway', found: /lists 1 model, with my-images/ },
} as const satisfies Partial<Record<MannerName, { label: string; found: RegExp }>>;

suite('Set Up Image Service', () => {
	let service: ImageService;
	let workbench: Workbench;

	suiteSetup(async () => {
		workbench = await Workbench.open();
	});

	suiteTeardown(() => workbench?.close());

	teardown(async () => {
		await workbench.dismissEverything();
		await service?.close();
	});

	for (const [manner, { label, found }] of Object.entries(kinds)) {
		test(`leads to the first image at a service of its own kind: ${manner}`, async () => {
			service = await startImageService({ key, manner: manner as MannerName });
			await workbench.runCommand('Easel: Set Up Image Service');
			if (manner === 'azure') {
				await workbench.pickItem('Change Address');
			}
			await workbench.waitForQuickInput('https://images.example.com');
			await workbench.typeInQuickInput(service.address);
			await workbench.acceptStep();
			await workbench.waitForQuickInput('The kind of image service');
			for (const theme of manner === 'local' ? themes : []) {
				await workbench.setTheme(theme);
				await workbench.screenshot(`set-up-kinds-${theme}`);
			}
			await workbench.pickItem(label);
			if (manner === 'azure') {
				await workbench.waitForQuickInput('gpt-image-2');
				await workbench.acceptQuickInput();
				await workbench.page.getByText('Enter the name of the deployment').waitFor();
				await workbench.typeInQuickInput('my-images');
				await workbench.acceptStep();
			}
			if (manner === 'local') {
				await workbench.waitForQuickInput('asks for no key');
			} else {
				await workbench.waitForQuickInput('API key');
				await workbench.typeInQuickInput('wrong-key');
				await workbench.acceptQuickInput();
				await workbench.page.getByText('does not accept this key').waitFor();
				await workbench.typeInQuickInput(key);
			}
			await workbench.acceptQuickInput();
			assert.match(await workbench.waitForNotification('Easel is set up.'), found);
			await workbench.screenshot(`set-up-${manner}`);
			assert.equal(service.requests.length, 0, 'nothing was bought');

			await workbench.clickNotificationButton('Generate Your First Image');
			await workbench.waitForQuickInput('Describe the image');
			await workbench.typeInQuickInput(`a pier of ${manner}`);
			await workbench.acceptQuickInput();
			await workbench.waitForImage(`images/pier-of-${manner}.png`);

			await workbench.runCommand('Easel: Test Connection');
			assert.match(await workbench.waitForNotification('Connected to'), found);
			await workbench.screenshot(`test-connection-${manner}`);
			assert.equal(service.requests.length, 1);
		});
	}

	test('says what it cannot check, and what it does not reach', async () => {
		service = await startImageService({ key });
		service.models.list = undefined;
		await workbench.runCommand('Easel: Set Up Image Service');
		await workbench.pickItem('Change Address');
		await workbench.setUp(service.address, key);
		await workbench.waitForNotification('no list of models (HTTP 404)');
		await service.close();
		await workbench.runCommand('Easel: Test Connection');
		await workbench.waitForNotification('could not connect to');
		await workbench.screenshot('test-connection-not-reached');
	});
});
