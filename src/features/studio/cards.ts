import {
	causeOf,
	stepsOf,
	type FailedJob,
	failureParts,
	failureText,
	interruptedText,
	stepLabel,
} from '../../generation/failures.js';
import { answerActions } from '../../generation/storedAnswer.js';
import type { JobList, RunningJob, UnsavedImage } from '../../generation/jobList.js';
import { safeText } from '../../editor/untrustedText.js';
import { minutesAndSeconds } from '../../editor/expectation.js';
import type { GenerationRequest } from '../../jobs/request.js';
import type { Job } from '../../protocol/studioModel.js';
import { shownPrompt } from './images.js';
import { studioMessages } from '../messages.js';
import { messages, phrases } from '../../messages.js';
import { originLabels } from '../../generation/requestOrigin.js';
import { sizeWords } from '../../asking/options.js';

/**
 * The jobs of the list as the page shows them, newest first.
 *
 * @param labelOf where a job stands among the rounds
 */
export function cardsOf(jobs: JobList, labelOf: (id: string) => string): Job[] {
	return [
		...jobs.running.map((job) => ({ at: job.request.createdAt, card: runningCard(job) })),
		...jobs.failed.map((job) => ({ at: job.entry.request.createdAt, card: failedCard(job) })),
		...jobs.unsaved.map((job) => ({ at: job.entry.request.createdAt, card: unsavedCard(job) })),
	]
		.sort((a, b) => b.at.localeCompare(a.at))
		.slice(0, maxShown)
		.map(({ card }) => ({ ...card, label: labelOf(card.id) }));
}

const maxShown = 1000;

/** Facts of a job itself. */
type Card = Omit<Job, 'label'>;
/** In UTF-16 code units: it goes to the page as a text. */
const maxCauseLength = 4000;

function runningCard(job: RunningJob): Card {
	const { request, question, words, short, announcement, progress } = job;
	const card = { ...common(request), short, announcement };
	return question === undefined
		? {
				...{ ...card, state: 'running', words, actions: ['cancel'] },
				...(progress === undefined ? {} : { progress }),
			}
		: {
				...{ ...card, state: 'asking', actions: ['sendAgain', 'stop'] },
				words: studioMessages.retryQuestion(failureText(question)),
				sendAgainLabel: stepLabel('sendAgain', question.sentTimes),
			};
}

function failedCard(job: FailedJob): Card {
	const { entry, state } = job;
	const { request } = entry;
	const steps = stepsOf(job).filter((step) => step !== undefined);
	const [step] = steps;
	const change = step === 'change' ? [] : (['change'] as const);
	if (state.state !== 'failed') {
		// What was interrupted stands for itself.
		const words = messages.interrupted(interruptedText(state));
		return {
			...{ ...common(request), state: 'failed', words, announcement: words },
			short: studioMessages[state.state],
			actions: [...steps, ...change, 'dismiss', 'showLog'],
		};
	}
	const { failure } = state;
	const { reason, charge } = failureParts(failure, request);
	const { isDealtWith = false, elapsedMs } = failure;
	const received = answerActions(failure);
	const duration = studioMessages.failedAfter(minutesAndSeconds(elapsedMs));
	return {
		...common(request),
		state: 'failed',
		words: [
			...(isDealtWith ? [studioMessages.unknownAnswer] : []),
			reason,
			...(failure.answerFile === undefined ? [] : [messages.keepsAnswer]),
			...(elapsedMs >= 1000 ? [duration] : []),
		].join(' '),
		...(charge === undefined ? {} : { charge }),
		short: isDealtWith ? studioMessages.answerStored : studioMessages.failed,
		cause: [charge ?? '', causeOf(job)].join('\n').slice(0, maxCauseLength),
		announcement: [...(charge === undefined ? [] : [charge]), reason].join(' '),
		// What the service does not take as it is can still be changed. An answer that is kept goes only
		// where it is saved or discarded.
		actions: [
			...received,
			...(isDealtWith ? [] : [...steps, ...change]),
			...(isDealtWith || received.length > 0 ? [] : (['dismiss'] as const)),
			'showLog',
		],
		...(steps.includes('sendAgain')
			? { sendAgainLabel: stepLabel('sendAgain', failure.sentTimes) }
			: {}),
	};
}

function unsavedCard({ entry: { request }, problem }: UnsavedImage): Card {
	const words = messages.keepsImage(safeText(problem));
	return {
		...common(request),
		state: 'unsaved',
		words,
		short: studioMessages.notSaved,
		announcement: words,
		actions: ['saveAs', 'saveAgain', 'discard'],
	};
}

function common({ id, prompt, size, quality, background, references, origin }: GenerationRequest) {
	const count = references.length;
	return {
		id,
		prompt: shownPrompt(prompt),
		details: [
			sizeWords(size),
			...(quality === undefined ? [] : [studioMessages.quality(quality)]),
			...(background === undefined ? [] : [studioMessages.transparent]),
			...(count === 0 ? [] : [phrases.referenceImages(count)]),
			...originLabels(origin),
		].join(' · '),
	};
}
