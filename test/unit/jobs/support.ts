import type { Recipes } from '../../../src/jobs/deliver.js';
import type { FailureFacts } from '../../../src/jobs/failure.js';
import type { JobEntry } from '../../../src/jobs/jobFolder.js';
import type { GenerationRequest, Reference, RoundPlace } from '../../../src/jobs/request.js';
import type { WorkerInput } from '../../../src/jobs/workerProtocol.js';
import { defaultNetworkOptions } from '../../../src/service/transport.js';
import type { PictureSizes } from '../../service/answer.js';
import { drawPicture } from '../../service/picture.js';

/** A request as the interface makes it. */
export function requestOf(change: Partial<GenerationRequest> = {}): GenerationRequest {
	return {
		id: crypto.randomUUID(),
		createdAt: new Date().toISOString(),
		operation: 'generate',
		model: 'std-image-2',
		prompt: 'a harbor',
		size: '1024x1024',
		references: [],
		round: roundOf(),
		provenance: 'none',
		target: { folder: 'file:///nowhere', stem: 'a-harbor' },
		...change,
	};
}

/** A batch of one. */
export function roundOf(change: Partial<RoundPlace> = {}): RoundPlace {
	const askedAt = new Date().toISOString();
	return { id: crypto.randomUUID(), number: 1, place: 0, count: 1, askedAt, ...change };
}

/** Facts of a request that the service has refused. */
export function failureOf(change: Partial<FailureFacts> = {}): FailureFacts {
	return {
		...{ kind: 'status', message: 'It broke', charge: 'rejected', repeatable: false },
		...{ elapsedMs: 0, unknownOutcome: false, ...change },
	};
}

/** A reference image of so many bytes, as a request names it. */
export function referenceOf(bytes: number): Reference {
	return {
		path: '/jobs/1/a.png',
		source: 'file:///a.png',
		fileName: 'a.png',
		contentType: 'image/png',
		width: 10,
		height: 10,
		bytes,
		sha256: '',
	};
}

const drawn = new Map<string, Promise<Buffer>>();

/** The picture that the stand-in service draws for such a request with another prompt. */
export function pictureOf(prompt: string, pictures: PictureSizes = 'real'): Promise<Buffer> {
	const key = `${pictures} ${prompt}`;
	const small = pictures === 'small';
	const picture =
		drawn.get(key) ?? drawPicture({ prompt, size: requestOf().size, references: [], small });
	drawn.set(key, picture);
	return picture;
}

/** Makes the order of a worker for a service of this machine. */
export function inputFor(
	{ folder }: Pick<JobEntry, 'folder'>,
	{ address, key }: { readonly address: string; readonly key: string },
	change: Partial<WorkerInput> = {},
): WorkerInput {
	return {
		folder,
		address,
		key,
		network: defaultNetworkOptions,
		timeoutMs: 60_000,
		retry: 'all',
		...change,
	};
}

/** Images are saved as they come. */
export const noRecipes: Recipes = {
	suffix: '.json',
	embed: () => Promise.resolve({}),
	writeApart: () => Promise.reject(new Error('It is not stored.')),
};
