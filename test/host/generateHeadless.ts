import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Workbench } from '../e2e/workbench';
import { say } from './cache';
import { labels } from '../../src/messages.js';

export interface HeadlessOptions {
	prompt: string;
	/** The packaged extension. */
	vsix: string;
	/** The image service, without a path. */
	settings: Readonly<Record<string, string>>;
	apiKey: string;
	/** Folder of the image and the screenshot. */
	output: string;
	/** Time limit of the image, in milliseconds. */
	timeoutMs: number;
}

/**
 * Generates one image as a user does, through the palette, in a headless browser.
 *
 * @returns the paths of the image and of a screenshot of it in the editor.
 * @throws an Error that says what went wrong, what was on the screen and where its picture is.
 */
export async function generateHeadless(
	options: HeadlessOptions,
): Promise<{ image: string; screenshot: string }> {
	await mkdir(options.output, { recursive: true });
	const workbench = await Workbench.open({
		vsix: options.vsix,
		env: { EASEL_API_KEY: options.apiKey },
		settings: options.settings,
	});
	try {
		return await generate(workbench, options);
	} catch (error) {
		const picture = await workbench.screenshot('failed', options.output);
		const shown = await workbench.notifications();
		throw new Error(
			[
				`No image was generated: ${(error as Error).message}`,
				...shown.map((text) => `On the screen: ${text}`),
				`Screenshot: ${picture}`,
			].join('\n'),
			{ cause: error },
		);
	} finally {
		await workbench.close();
	}
}

async function generate(workbench: Workbench, options: HeadlessOptions) {
	const before = new Set(await imagesIn(workbench.folder));
	say(`Generating “${options.prompt}”…`);
	await workbench.generate(options.prompt);
	await Promise.race([
		workbench.waitForImage('', options.timeoutMs),
		workbench.waitForError(options.timeoutMs).then((text) => {
			throw new Error(text);
		}),
	]);

	const saved = (await imagesIn(workbench.folder)).find((file) => !before.has(file));
	if (!saved) throw new Error('The notification came, but there is no new PNG in the folder.');
	const name = basename(saved);
	const image = join(options.output, name);
	await copyFile(join(workbench.folder, saved), image);
	await workbench.clickNotificationButton(labels.openFile);
	await workbench.activeTab(name).waitFor();
	// The built-in preview marks its page once the picture is there.
	await workbench.webview().locator('body.ready img').waitFor();
	const screenshot = await workbench.screenshot('screenshot', options.output);
	return { image, screenshot };
}

/** All PNG files below the folder, relative to it. */
async function imagesIn(folder: string): Promise<string[]> {
	const names = await readdir(folder, { recursive: true });
	return names.filter((name) => name.toLowerCase().endsWith('.png'));
}
