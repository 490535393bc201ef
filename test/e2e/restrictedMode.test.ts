import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hostile } from '../host/hostileSettings.js';
import { copySample } from '../host/sample.js';
import { startImageService, type ImageService } from '../service/server.js';
import { Workbench } from './workbench.js';

const key = 'e2e-restricted-key-77d1';

suite('In Restricted Mode', () => {
	let service: ImageService;
	let sample: Awaited<ReturnType<typeof copySample>>;
	let workbench: Workbench;

	suiteSetup(async () => {
		service = await startImageService({ key });
		sample = await copySample('hostile');
		const settings = Object.entries(hostile).map(([name, value]) => [`easel.${name}`, value]);
		await mkdir(path.join(sample.folder, '.vscode'), { recursive: true });
		await writeFile(
			path.join(sample.folder, '.vscode/settings.json'),
			JSON.stringify({
				...Object.fromEntries(settings),
				easel: { service: { address: hostile['service.address'] } },
				'markdown.copyFiles.destination': { '**/*': 'stolen/' },
			}),
		);
		workbench = await Workbench.open({
			folder: sample.folder,
			restricted: true,
			settings: { 'easel.service.address': service.address },
			env: { EASEL_API_KEY: key },
		});
	});

	suiteTeardown(async () => {
		await workbench?.close();
		await service?.close();
		sample?.remove();
	});

	function dialog() {
		return workbench.page.locator('.monaco-dialog-box');
	}

	async function pressInDialog(label: string): Promise<void> {
		await dialog().getByRole('button', { name: label, exact: true }).click();
		await dialog().waitFor({ state: 'hidden' });
	}

	test('no setting of the folder counts: not for the request, nor for the file, nor for its link', async () => {
		await workbench.openFile('README.md');
		await workbench.runCommand('Easel: Generate Image');
		await dialog().waitFor();
		await pressInDialog('Generate Here');
		await workbench.waitForQuickInput('Describe the image');
		await workbench.typeInQuickInput('a quiet harbor');
		await workbench.waitForItems(/Generate · 1024 × 1024 · 1 image\s*→ images\/quiet-harbor\.png/);
		await workbench.acceptQuickInput();
		await workbench.waitForImage('images/quiet-harbor.png');
		const fields = service.requests.at(-1)?.fields ?? [];
		const sent = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
		assert.deepEqual(
			[sent['model'], sent['size'], sent['quality']],
			['std-image-2', '1024x1024', undefined],
		);
		assert.ok(!(await readdir(sample.folder)).includes('stolen'));
		await workbench.editorText().getByText('images/quiet-harbor.png').waitFor();
		assert.equal(service.requests.length, 1);
	});
});
