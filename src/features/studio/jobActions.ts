import type { FailedJob } from '../../generation/failures.js';
import type { JobList, UnsavedImage } from '../../generation/jobList.js';
import { openSettings, withNewKey, withSetUp } from '../../generation/report.js';
import type { Generator } from '../../generation/generator.js';
import { runCommand } from '../../editor/commands.js';
import { inBackground } from '../../editor/messages.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import type { JobAction } from '../../protocol/studioActions.js';

/** A request that Compose begins with. */
export type Composed = Pick<GalleryImage, 'prompt' | 'size' | 'references'> & {
	readonly quality?: 'high' | 'low' | 'unset' | undefined;
};

export interface JobTools {
	readonly jobs: JobList;
	readonly generator: Generator;
	/** Puts a request into Compose. */
	readonly compose: (request: Composed) => Promise<void>;
}

/**
 * Does what a person has chosen on the card of a job. Nothing where there is no such job any more,
 * or it has come so far that this cannot be done: its card is on its way.
 *
 * @param id of the job's request
 */
export async function actOnJob(id: string, action: JobAction, tools: JobTools): Promise<void> {
	const { jobs, generator } = tools;
	if (action === 'showLog') {
		await runCommand('easel.showLog');
		return;
	}
	const running = jobs.running.find((job) => job.request.id === id);
	if (running !== undefined) {
		switch (action) {
			case 'cancel':
				running.cancel();
				return;
			case 'sendAgain':
			case 'stop':
				running.answer(action === 'sendAgain');
				return;
			default:
				return;
		}
	}
	const failed = jobs.failed.find((job) => job.entry.request.id === id);
	if (failed !== undefined) {
		await actOnFailure(failed, action, tools);
		return;
	}
	const unsaved = jobs.unsaved.find(({ entry }) => entry.request.id === id);
	if (unsaved !== undefined) {
		await actOnUnsaved(unsaved, action, generator);
	}
}

async function actOnUnsaved(
	image: UnsavedImage,
	action: JobAction,
	{ unsaved }: Generator,
): Promise<void> {
	switch (action) {
		case 'saveAs':
			await unsaved.saveAs(image);
			return;
		case 'saveAgain':
			await unsaved.saveAgain(image);
			return;
		case 'discard':
			await unsaved.discard(image);
			return;
		default:
	}
}

async function actOnFailure(
	{ entry, state }: FailedJob,
	action: JobAction,
	{ generator, compose }: JobTools,
): Promise<void> {
	switch (action) {
		case 'again':
		case 'sendAgain':
			await generator.again(entry);
			return;
		case 'setKey':
		case 'useAnotherKey':
			await withNewKey(() => inBackground(generator.again(entry)));
			return;
		case 'setUp':
			await withSetUp(() => inBackground(generator.again(entry)));
			return;
		case 'openSettings':
			await openSettings(state.state === 'failed' ? state.failure.field : undefined);
			return;
		case 'change': {
			const { prompt, size, quality, references } = entry.request;
			await compose({
				prompt,
				size,
				quality,
				references: references.map(({ source }) => source),
			});
			await generator.dismiss(entry);
			return;
		}
		case 'dismiss':
			await generator.dismiss(entry);
			return;
		default:
	}
}
