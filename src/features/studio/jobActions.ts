import type { FailedJob } from '../../generation/failures.js';
import type { JobList } from '../../generation/jobList.js';
import { openSettings, withNewKey, withSetUp } from '../../generation/report.js';
import { runLinkAction } from '../../generation/keptAnswer.js';
import type { Generator } from '../../generation/generator.js';
import { runCommand } from '../../editor/commands.js';
import { runDetached } from '../../editor/messages.js';
import type { StudioRequest } from '../../protocol/studio.js';
import { ownReferences } from '../../jobs/request.js';
import type { JobAction } from '../../protocol/studioActions.js';
import type { Composed } from './composing.js';

interface JobTools {
	readonly jobs: JobList;
	readonly generator: Generator;
	/** Puts a request into the composer. */
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
	const running = jobs.running.find((job) => job.request.id === id);
	const failed = jobs.failed.find((job) => job.entry.request.id === id);
	const unsaved = jobs.unsaved.find((job) => job.entry.request.id === id);
	const again = async () => {
		await (failed && generator.again(failed.entry));
	};
	switch (action) {
		case 'showLog':
			await runCommand('easel.showLog');
			return;
		case 'cancel':
			running?.cancel();
			return;
		case 'stop':
			running?.answer(false);
			return;
		case 'sendAgain':
			running?.answer(true);
			await (failed && generator.sendAgain(failed.entry));
			return;
		case 'again':
			await again();
			return;
		case 'sendSmaller':
			await (failed && generator.sendSmaller(failed.entry));
			return;
		case 'setKey':
		case 'useAnotherKey':
			await (failed && withNewKey(() => runDetached(again())));
			return;
		case 'setUp':
			await (failed && withSetUp(() => runDetached(again())));
			return;
		case 'openSettings':
			await (failed && openSettings(settingOf(failed)));
			return;
		case 'change':
			await (failed && change(failed, tools));
			return;
		case 'dismiss':
			await (failed && generator.dismiss(failed.entry));
			return;
		case 'saveAnswer':
		case 'showAnswer':
		case 'discardAnswer':
			await (failed && generator.withAnswer(action, failed.entry));
			return;
		case 'openLink':
		case 'copyLink': {
			const link = failed?.state.state === 'failed' ? failed.state.failure.link : undefined;
			await (link && runLinkAction(action, link));
			return;
		}
		case 'saveAs':
			await (unsaved && generator.unsaved.saveAs(unsaved));
			return;
		case 'saveAgain':
			await (unsaved && generator.unsaved.saveAgain(unsaved));
			return;
		case 'discard':
			await (unsaved && generator.unsaved.discard(unsaved));
			return;
	}
}

function settingOf({ state }: FailedJob): string | undefined {
	return state.state === 'failed' ? state.failure.field : undefined;
}

/** Does it for those of several jobs that have failed. */
export async function actOnJobs(
	{ ids, action }: Extract<StudioRequest, { readonly type: 'jobs' }>,
	{ jobs, generator }: Pick<JobTools, 'jobs' | 'generator'>,
): Promise<void> {
	const failed = jobs.failed.filter(({ entry }) => ids.includes(entry.request.id));
	if (action === 'dismiss') {
		for (const { entry } of failed) {
			await generator.dismiss(entry);
		}
		return;
	}
	await generator.again(...failed.map(({ entry }) => entry));
}

/** Puts the request back into the composer. */
async function change({ entry }: FailedJob, { generator, compose }: JobTools): Promise<void> {
	const references = ownReferences(entry.request).map(({ source }) => source);
	await compose({ ...entry.request, references });
	await generator.dismiss(entry);
}
