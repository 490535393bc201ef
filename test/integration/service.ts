import { endWithoutNotification } from '../../src/editor/progress.js';
import {
	startImageService,
	type ImageService,
	type ImageServiceOptions,
} from '../service/server.js';
import { setSetting } from './workspace.js';

// The tests have a copy of this module of their own, beside that of the extension.
endWithoutNotification();

/**
 * Starts an image service and has the extension use it, until `closeService`. Its pictures have
 * their size in pixels, and 0.1 MB: where the size of the file is the subject, a fault sets it.
 */
export async function openService(options: ImageServiceOptions = {}): Promise<ImageService> {
	// One of its own, because a key of the environment belongs to one address.
	const key = options.key ?? `integration-key-${crypto.randomUUID()}`;
	const service = await startImageService({ pictures: 'small', ...options, key });
	// The tests share the extension's process, and so its environment.
	process.env['EASEL_API_KEY'] = key;
	await setSetting('easel.service.address', service.address);
	return service;
}

export async function closeService(service: ImageService): Promise<void> {
	delete process.env['EASEL_API_KEY'];
	await setSetting('easel.service.address', undefined);
	await service.close();
}

/** The service of the suite that runs. */
export let service: ImageService;

/** Gives a suite a service, which the extension uses. */
export function useService(options?: ImageServiceOptions): void {
	suiteSetup(async () => {
		service = await openService(options);
	});
	suiteTeardown(() => closeService(service));
}
