import assert from 'node:assert/strict';
import { service, studio, useHarbor, workbench } from './harbor.js';

suite('Images with a transparent background', () => {
	useHarbor({
		manner: 'openai',
		pictures: 'small',
		settings: { 'easel.service.type': 'openai' },
	});

	test('are asked for in the studio and lie on a chessboard there, opaque ones do not', async () => {
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
