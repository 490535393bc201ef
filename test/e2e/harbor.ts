import path from 'node:path';
import type { OpenOptions } from '../host/host.js';
import { copySample } from '../host/sample.js';
import { Sandbox } from '../host/sandbox.js';
import {
	startImageService,
	type ImageService,
	type ImageServiceOptions,
} from '../service/server.js';
import { StudioPage } from './studioPage.js';
import { Workbench } from './workbench.js';

/** The service of the suite, or the test, that runs. */
export let service: ImageService;
/** Its workbench, which uses that service. */
export let workbench: Workbench;
/** The studio in that workbench. */
export let studio: StudioPage;

let sample: Awaited<ReturnType<typeof copySample>> | undefined;

/** Returns a path in the folder that the workbench has open. */
export function file(...names: readonly string[]): string {
	return path.join(sample!.folder, ...names);
}

interface HarborOptions
	extends
		ImageServiceOptions,
		Pick<OpenOptions, 'keyBindings' | 'otherVsix' | 'restricted' | 'settings'> {
	/** There is no copy of the sample documentation in the folder. */
	readonly isEmpty?: boolean;
	/** The user has not set up the service yet. */
	readonly isNew?: boolean;
	/** Writes files before the workbench opens, which would miss what comes while it starts. */
	readonly prepare?: () => Promise<unknown>;
}

/** Opens a workbench with a service of its own. */
export async function openHarbor({
	isEmpty = false,
	isNew = false,
	prepare,
	settings,
	keyBindings = [],
	otherVsix = [],
	restricted = false,
	key = `e2e-key-${crypto.randomUUID()}`,
	...served
}: HarborOptions = {}): Promise<void> {
	service = await startImageService({ key, ...served });
	sample = isEmpty ? emptyFolder() : await copySample();
	await prepare?.();
	workbench = await Workbench.open({
		...{ folder: sample.folder, keyBindings, otherVsix, restricted },
		settings: { ...(isNew ? {} : { 'easel.service.address': service.address }), ...settings },
		env: isNew ? {} : { EASEL_API_KEY: key },
	});
	studio = new StudioPage(workbench);
}

function emptyFolder() {
	const sandbox = new Sandbox();
	return { folder: sandbox.folder('port'), remove: () => sandbox.close() };
}

export async function closeHarbor(): Promise<void> {
	await workbench?.close();
	await service?.close();
	sample?.remove();
}

/** Gives all tests of a suite one workbench, as {@link openHarbor} does. */
export function useHarbor(options?: HarborOptions): void {
	suiteSetup(() => openHarbor(options));
	suiteTeardown(closeHarbor);
}
