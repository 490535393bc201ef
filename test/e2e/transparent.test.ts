import assert from 'node:assert/strict';
import { copySample } from '../host/sample.js';
import { startImageService, type ImageService } from '../service/server.js';
import { StudioPage } from './studioPage.js';
import { Workbench } from './workbench.js';

const key = 'e2e-transparent-key-5d02';

suite('Images with a transparent background', () => {
	let sample: Awaited<ReturnType<typeof copySample>>;
	let service: ImageService;
	let workbench: Workbench;

	suiteSetup(async () => {
		service = await startImageService({ key, manner: 'openai', pictures: 'small' });
		sample = await copySample('transparent');
		workbench = await Workbench.open({
			folder: sample.folder,
			settings: {
				'easel.service.address': service.address,
				'easel.service.type': 'openai',
			},
			env: { EASEL_API_KEY: key },
		});
	});

	suiteTeardown(async () => {
		await workbench?.close();
		await service?.close();
		sample?.remove();
	});

	test('are asked for in the studio and lie on a chessboard there, opaque ones do not', async () => {
		const studio = new StudioPage(workbench);
		await studio.open();
		await studio.compose('a fox');
		await studio.waitForImages('1a');
		const background = studio.root.getByRole('combobox', { name: 'Background' });
		await background.selectOption('transparent');
		await studio.compose('an owl');
		await studio.waitForImages('1a', '2a');
		const sent = service.requests.map(
			({ fields }) => fields.find(({ name }) => name === 'background')?.value,
		);
		assert.deepEqual(sent, [undefined, 'transparent']);
		const tile = (label: string) => studio.tile(label).locator('img');
		const boardOf = (label: string) =>
			tile(label).evaluate((image) => getComputedStyle(image).backgroundImage);
		await tile('2a').and(studio.root.locator('[src$="#transparent"]')).waitFor();
		for (const theme of ['light', 'dark', 'highContrast'] as const) {
			await workbench.setTheme(theme);
			assert.match(await boardOf('2a'), /conic-gradient/);
			assert.equal(await boardOf('1a'), 'none');
			await workbench.screenshot(`transparent-${theme}`);
		}
		await studio.tile('2a').press('Enter');
		await workbench.screenshot('transparent-large');
	});
});
