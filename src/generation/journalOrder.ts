import { readSetting } from '../editor/settings.js';
import { createJob, type CreateOptions } from '../jobs/createJob.js';
import type { JobEntry } from '../jobs/jobFolder.js';
import type { Order } from './order.js';
import { sourcesOf } from './referenceImages.js';
import type { SmallerReferences } from './smallerReferences.js';
import { storedContext, storedStyle, storedTarget } from './storedOrder.js';
import { assertTarget } from './target.js';

/**
 * Puts the request on disk, with copies of its references, before anything is sent.
 *
 * @throws {OutsideWorkspaceError} where the image could not be saved at its target
 * @throws {RequestError} naming the reference that cannot be used; the system's error
 * @throws {StyleGuideError} where a reference image of the style is not what it was
 */
export async function journalOrder(
	order: Order,
	options: CreateOptions & { readonly smallerReferences: SmallerReferences },
): Promise<JobEntry> {
	const { operation, choices, context, target, round, together, anotherTryOf } = order;
	const { smallerReferences } = order;
	await assertTarget(target);
	const { size, quality } = choices;
	const sources = sourcesOf(order);
	return createJob(
		{
			operation,
			model: readSetting('service.model'),
			prompt: choices.prompt,
			size,
			target: storedTarget(target),
			smallerReferences,
			round,
			together,
			provenance: readSetting('output.provenance', target.folder),
			anotherTryOf: anotherTryOf?.toString(),
			...storedContext(context),
			...storedStyle(order),
			...(quality === 'unset' || sources.length > 0 ? {} : { quality }),
		},
		smallerReferences ? await options.smallerReferences.sources(sources, size) : sources,
		options,
	);
}
