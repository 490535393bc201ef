import type { FailedJob } from '../../generation/failures.js';
import type { JobList, RunningJob, UnsavedImage } from '../../generation/jobList.js';
import { openSettings, withNewKey, withSetUp } from '../../generation/report.js';
import type { Generator } from '../../generation/generator.js';
import { runCommand } from '../../editor/commands.js';
import { inBackground } from '../../editor/messages.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import type { JobAction } from '../../protocol/studio.js';

/** A request that Compose begins with. */
export type Composed = Pick<GalleryImage, 'prompt' | 'size' | 'references'> & {
	readonly quality?: 'high' | 'low' | 'unset' | undefined;
};

interface JobTools {
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
	const running = jobs.running.find(({ request }) => request.id === id);
	const failed = jobs.failed.find(({ entry }) => entry.request.id === id);
	const unsaved = jobs.unsaved.find(({ entry }) => entry.request.id === id);
	const actions: Actions = {
		...(running
			? runningActions(running)
			: failed
				? failedActions(failed, tools)
				: unsaved && unsavedActions(unsaved, generator)),
		showLog: () => runCommand('easel.showLog'),
	};
	await actions[action]?.();
}

type Actions = { readonly [action in JobAction]?: () => void | Promise<void> };

function runningActions(job: RunningJob): Actions {
	return {
		cancel: () => job.cancel(),
		sendAgain: () => job.answer(true),
		stop: () => job.answer(false),
	};
}

function unsavedActions(image: UnsavedImage, { unsaved }: Generator): Actions {
	return {
		saveAs: () => unsaved.saveAs(image),
		saveAgain: () => unsaved.saveAgain(image),
		discard: () => unsaved.discard(image),
	};
}

function failedActions({ entry, state }: FailedJob, { generator, compose }: JobTools): Actions {
	const again = () => generator.again(entry);
	const dismiss = () => generator.dismiss(entry);
	const setKey = () => withNewKey(() => inBackground(again()));
	return {
		again,
		sendAgain: again,
		setKey,
		useAnotherKey: setKey,
		setUp: () => withSetUp(() => inBackground(again())),
		openSettings: () => openSettings(state.state === 'failed' ? state.failure.field : undefined),
		change: async () => {
			const { references, ...request } = entry.request;
			await compose({ ...request, references: references.map(({ source }) => source) });
			await dismiss();
		},
		dismiss,
	};
}
