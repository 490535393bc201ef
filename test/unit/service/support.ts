import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { callService, type CallOptions, type CallResult } from '../../../src/service/client.js';
import type { ImageCall } from '../../../src/service/requestBody.js';
import { defaultNetworkOptions, openTransport } from '../../../src/service/transport.js';
import { drawPicture } from '../../service/picture.js';
import { startImageService, type ImageService } from '../../service/server.js';

export const key = 'test-key-5f0c1a';

/** A stand-in service with a folder for what a client receives; closed by `close`. */
export interface Bench {
	readonly service: ImageService;
	readonly folder: string;
	/** Calls the service once. */
	call(call?: Partial<ImageCall>, options?: Partial<CallOptions>): Promise<CallResult>;
	/** Writes a file into the folder and returns its path. */
	write(name: string, bytes: Uint8Array | string): Promise<string>;
	close(): Promise<void>;
}

export async function openBench(): Promise<Bench> {
	const service = await startImageService({
		key,
		keys: [{ key: 'poor', quota: 'insufficient' }],
		pictures: 'real',
	});
	const folder = await mkdtemp(path.join(tmpdir(), 'easel-client-'));
	const transport = openTransport(new URL(service.address), defaultNetworkOptions, {});
	return {
		service,
		folder,
		call: (call = {}, options = {}) =>
			callService(
				{ prompt: 'a lighthouse at dusk', size: '1024x1024', references: [], ...call },
				{
					key,
					transport,
					file: path.join(folder, 'image'),
					timeoutMs: 60_000,
					...options,
				},
			),
		async write(name, bytes) {
			const file = path.join(folder, name);
			await writeFile(file, bytes);
			return file;
		},
		async close() {
			await service.close();
			await rm(folder, { recursive: true });
		},
	};
}

/** A reference image, as large as a photographic one unless its pixels are given. */
export function referencePng(
	prompt = 'a reference',
	dimensions?: { readonly width: number; readonly height: number },
): Promise<Uint8Array> {
	return drawPicture({ prompt, size: '1024x1024', references: [], dimensions });
}
