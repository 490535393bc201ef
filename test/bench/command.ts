// How soon a command answers: with its first quick input, and with its first byte on the wire. Once in
// a window that has not used Easel before, once again.
import { spawn } from 'node:child_process';
import { startImageService, type ImageService } from '../service/server.js';
import { Keys } from '../e2e/keys.js';
import { Workbench } from '../e2e/workbench.js';
import type { Run } from './bench.js';
import { packaged } from './packaged.js';
import { newWindow } from './window.js';

const key = 'bench-key';
const keys = new Keys({
	ask: ['easel.generateImage'],
	make: ['easel.generateImage', { prompt: 'a harbor', insert: false }],
	askGit: ['git.clone'],
});

export async function measure({ rounds, record }: Run): Promise<void> {
	const service = await startImageService({ key, pictures: 'small' });
	const workbench = await Workbench.open({
		vsix: await packaged(),
		settings: {
			'easel.service.address': service.address,
			// What stands on the screen afterwards would be in the way of the next round.
			'easel.output.afterSaving': 'nothing',
		},
		keyBindings: keys.bindings,
		env: { EASEL_API_KEY: key },
	});
	try {
		for (let round = 0; round < rounds; round++) {
			await newWindow(workbench, 'Easel', 'Git');
			for (const row of ['inputFirst', 'inputAgain']) {
				const ours = await inputMs(workbench, 'ask', 'Describe the image');
				record(row, ours, await inputMs(workbench, 'askGit', 'repository URL'));
			}
			await newWindow(workbench, 'Easel', 'Git');
			for (const row of ['byteFirst', 'byteAgain']) {
				const ours = await byteMs(service, () => keys.press(workbench, 'make'));
				record(row, ours, await byteMs(service, () => plainRequest(service)));
			}
		}
	} finally {
		await workbench.close();
		await service.close();
	}
}

/** From the key to the quick input on the screen, as the page sees both, in milliseconds. */
async function inputMs(workbench: Workbench, name: string, placeholder: string): Promise<number> {
	await workbench.page.evaluate(() => {
		const look = { capture: true, once: true };
		addEventListener(
			'keydown',
			() => Object.assign(window, { pressedAt: performance.now() }),
			look,
		);
	});
	const shown = workbench.page.waitForFunction(
		(text) => {
			const input = document.querySelector<HTMLInputElement>('.quick-input-widget input');
			const { pressedAt } = window as unknown as { pressedAt?: number };
			const isShown = input?.offsetParent != null && input.placeholder.includes(text);
			return pressedAt !== undefined && isShown && performance.now() - pressedAt;
		},
		placeholder,
		{ polling: 'raf' },
	);
	await keys.press(workbench, name);
	const ms = Number(await (await shown).jsonValue());
	await workbench.page.evaluate(() => Object.assign(window, { pressedAt: undefined }));
	await workbench.page.keyboard.press('Escape');
	await workbench.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
	return ms;
}

/** Until the service has the head of a request, in milliseconds; returns when it is through with it. */
async function byteMs(service: ImageService, ask: () => Promise<void>): Promise<number> {
	const next = service.requests.length + 1;
	const startedAt = Date.now();
	await ask();
	const request = await service.waitForRequest(next, 'ended');
	return request.startedAt - startedAt;
}

/** The same from a process that does nothing else. */
function plainRequest({ address }: ImageService): Promise<void> {
	const script = `fetch('${address}/v1/images/generations', {
		method: 'POST',
		headers: { authorization: 'Bearer ${key}', 'content-type': 'application/json' },
		body: JSON.stringify({ model: 'std-image-2', prompt: 'a harbor', n: 1, size: '1024x1024', response_format: 'b64_json', output_format: 'png' }),
	}).then((response) => response.text())`;
	spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'ignore', 'inherit'] });
	return Promise.resolve();
}
