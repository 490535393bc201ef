import { startImageService, type ImageService } from '../service/server.js';
import { setSetting } from './workspace.js';

/**
 * Starts an image service and has the extension use it, until `closeService`.
 *
 * @param key its own, because a key of the environment belongs to one address
 */
export async function openService(
	key = `integration-key-${crypto.randomUUID()}`,
): Promise<ImageService> {
	const service = await startImageService({ key });
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
