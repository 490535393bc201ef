import { runCommand } from '../../editor/commands.js';
import { commandTitles } from '../../editor/commandTable.js';
import { choose, notify } from '../../editor/messages.js';
import { askPick, type ValueItem } from '../../editor/quickInput.js';
import { safeText } from '../../editor/untrustedText.js';
import { oneLine } from '../../asking/questions.js';
import { waitingForUser } from '../../asking/waiting.js';
import { failureText, stepLabel } from '../../generation/failures.js';
import type { RunningJob } from '../../generation/jobList.js';
import { labels } from '../../messages.js';
import type { Services } from '../../services.js';
import { documentMessages } from '../messages.js';

/** A row of the list, with its action. */
interface Row extends Omit<ValueItem, 'value'> {
	readonly run: () => unknown;
}

/**
 * Opens what waits for the user: the question itself where there is one, a choice where it is alone,
 * else a list of all, with the images in progress, to cancel them.
 */
export async function showWaiting(deps: Services): Promise<void> {
	const waiting = waitingRows(deps);
	const running = deps.jobs.running.filter(({ question }) => question === undefined);
	const [first, ...others] = waiting;
	const isAlone = running.length === 0 || first?.icon === 'question';
	if (first !== undefined && others.length === 0 && isAlone) {
		await first.run();
		return;
	}
	if (waiting.length + running.length === 0) {
		await notify('info', documentMessages.noneRunning);
		return;
	}
	const rows: readonly Row[] = [
		...waiting,
		{
			icon: 'layout',
			label: commandTitles['easel.openStudio'],
			run: () => runCommand('easel.openStudio'),
		},
		...running.map((job) => ({
			icon: 'circle-slash',
			label: documentMessages.cancelImage(oneLine(job.request.prompt, 60)),
			description: job.words,
			run: () => job.cancel(),
		})),
	];
	const answer = await askPick<ValueItem>({
		title: documentMessages.imagesInProgress,
		placeholder:
			waiting.length > 0 ? documentMessages.selectToDecide : documentMessages.selectImageToCancel,
		items: rows.map(({ run: _run, ...row }, index) => ({ ...row, value: String(index) })),
	});
	if (answer?.type === 'value') {
		await rows[Number(answer.value.value)]?.run();
	}
}

/** The rows of what waits, the most urgent first. */
function waitingRows(deps: Services): readonly Row[] {
	const { jobs } = deps;
	return [
		...jobs.running
			.filter(({ question }) => question !== undefined)
			.map((job) => ({
				icon: 'question',
				label: `“${oneLine(job.request.prompt, 60)}”`,
				description: job.words,
				run: () => askAboutRetry(job),
			})),
		...jobs.unsaved.map(({ entry, problem }) => ({
			icon: 'warning',
			label: documentMessages.notSaved(oneLine(entry.request.prompt, 60)),
			detail: problem,
			run: () => runCommand('easel.openStudio'),
		})),
		...waitingForUser(deps),
	];
}

/** Asks what the notification has asked; Cancel leaves it open. */
async function askAboutRetry(job: RunningJob): Promise<void> {
	const failure = job.question;
	if (failure === undefined) {
		return;
	}
	const again = stepLabel('sendAgain', failure.sentTimes);
	const prompt = `“${safeText(job.request.prompt, 60)}”`;
	const answer = await choose(prompt, [failureText(failure)], again, labels.dontSend);
	if (answer !== undefined && job.question === failure) {
		job.answer(answer === again);
	}
}
