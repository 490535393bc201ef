import * as vscode from 'vscode';
import { wordsOf } from '../editor/errorTexts.js';
import { showError } from '../editor/messages.js';
import { safeText } from '../editor/untrustedText.js';
import { stepDone } from '../editor/walkthrough.js';
import { originOf, savedImagesOf, type GalleryImage } from '../jobs/gallery.js';
import type { JobEntry } from '../jobs/jobFolder.js';
import type { GenerationRequest } from '../jobs/request.js';
import type { FailureState, JobState, StateNamed } from '../jobs/state.js';
import { log } from '../log.js';
import { concernsAll } from './failures.js';
import type { GeneratorServices } from './generatorServices.js';
import { logEnd } from './jobLog.js';
import { linkImage, type FollowUp } from './linkImage.js';
import type { Outcome } from './outcome.js';
import { restoreRest } from './restoreRest.js';
import type { ResultNotifier } from './resultNotifier.js';
import { runJob, type BatchSignals } from './runJob.js';
import { messages } from '../messages.js';
import type { UnsavedImages } from './unsavedImages.js';

/** An image that is saved, and all that follows it is done. */
export interface Arrival {
	readonly request: GenerationRequest;
	readonly image: vscode.Uri;
	/** The document that its link was written into. */
	readonly document?: vscode.Uri | undefined;
	/** Identifier of the image in the gallery. */
	readonly id: string;
}

/** Brings jobs to their ends, each by itself, and says what became of each. */
export class JobRunner implements vscode.Disposable {
	readonly #arrived = new vscode.EventEmitter<Arrival>();
	/** Fires when an image is saved, and all that follows it is done. */
	readonly onArrived = this.#arrived.event;

	/** @param ending aborted when the window ends: the next one shows the ends then */
	constructor(
		private readonly services: GeneratorServices,
		private readonly notifier: Pick<ResultNotifier, 'recordSettled'>,
		private readonly unsaved: Pick<UnsavedImages, 'add'>,
		private readonly ending: AbortSignal,
	) {}

	dispose(): void {
		this.#arrived.dispose();
	}

	/** Lists a job as running, drives it, and turns its last state into an outcome. Never rejects. */
	async run(entry: JobEntry, batch: BatchSignals): Promise<Outcome> {
		const { jobs, preferences } = this.services;
		const job = jobs.addRunning(entry, preferences.durations(entry.request.size));
		try {
			const state = await runJob(entry, job, batch, this.services);
			const outcome = await this.#end(entry, state, job.isDeclined);
			if (state.state === 'failed' && concernsAll(state.failure)) {
				batch.givingUp.abort({ ...state.failure, charge: 'notSent' });
			}
			return outcome;
		} catch (error) {
			showError(error);
			return { type: 'shown' };
		} finally {
			job.end();
		}
	}

	async #end(entry: JobEntry, state: JobState, isDeclined: boolean): Promise<Outcome> {
		const { jobs, preferences } = this.services;
		if (this.ending.aborted) {
			return { type: 'shown' };
		}
		logEnd(entry.request, state);
		switch (state.state) {
			case 'saved': {
				const { elapsedMs } = state.result;
				if (elapsedMs > 0) {
					await preferences.rememberDuration(entry.request.size, elapsedMs);
				}
				log.info(
					`Saved: ${vscode.workspace.asRelativePath(vscode.Uri.parse(state.target, true))}.`,
				);
				return this.arrive(entry, state);
			}
			case 'received':
				this.unsaved.add(entry, state);
				return { type: 'shown' };
			case 'cancelled':
				await this.notifier.recordSettled(entry.folder, state);
				return { type: 'cancelled', charge: state.charge };
			case 'interrupted':
			case 'failed':
				if (isDeclined && state.state === 'failed') {
					// A message with the same words would only ask once more.
					jobs.addFailed(entry, state);
					await this.notifier.recordSettled(entry.folder, state);
					return { type: 'shown' };
				}
				return this.fail(entry, state);
			case 'discarded':
				return { type: 'shown' };
			case 'queued':
			case 'sending':
			case 'waiting':
			case 'receiving':
			case 'pausing':
				throw new Error(`A job came back while it was ${state.state}.`);
		}
	}

	/** Lists a failure. */
	fail(entry: JobEntry, state: FailureState): Outcome {
		this.services.jobs.addFailed(entry, state);
		return { type: 'failed', entry, state };
	}

	/**
	 * Goes on with a saved image: restores its rest, makes its export, writes its link, and fires
	 * {@link onArrived}. The image is saved, so what fails of this becomes a note.
	 */
	async arrive(entry: JobEntry, state: StateNamed<'saved'>): Promise<Outcome> {
		const { request } = entry;
		const { operation, prompt, references } = request;
		stepDone(operation);
		const rest = await this.#restore(entry, state);
		// Without the gallery, where it cannot be read, the nearest original is known.
		const images = operation === 'edit' ? await this.services.gallery.list().catch(() => []) : [];
		const sources = references.map(({ source }) => source);
		const answer = {
			uri: vscode.Uri.parse(state.target, true),
			prompt,
			title: request.altText,
			image: state.result,
			origin: originOf({ operation, references: sources }, images),
		};
		const saved =
			rest.image === undefined
				? answer
				: {
						...{ ...answer, uri: vscode.Uri.parse(rest.image.target, true), image: rest.image },
						...{ origin: originOf(rest.image, images), answer },
					};
		const id = rest.image?.id ?? request.id;
		const published = await this.#publish({ ...request, id }, saved.uri);
		const shown = { ...saved, published: published.uri };
		const followUp = await linkImage(shown, request, this.services).catch(
			(error: unknown): FollowUp => {
				log.error('A saved image could not be used', error);
				return { note: safeText(wordsOf(error)), buttons: [] };
			},
		);
		const document = followUp.inserted?.document;
		this.#arrived.fire({ request, image: saved.uri, document, id });
		const note = [rest.note, published.note, followUp.note].filter(Boolean).join(' ');
		const withNote = note === '' ? followUp : { ...followUp, note };
		return { type: 'arrived', entry, state, saved: shown, followUp: withNote };
	}

	/**
	 * Gives an edit with marks the rest of its original back. The answer is saved before, so a window that
	 * ends here loses nothing, and the next one does it.
	 */
	async #restore(
		entry: JobEntry,
		state: StateNamed<'saved'>,
	): Promise<{ readonly image?: GalleryImage; readonly note?: string }> {
		const { marks } = entry.request;
		const [answer] = marks === undefined ? [] : savedImagesOf([{ ...entry, state }]);
		if (answer === undefined) {
			return {};
		}
		try {
			const rest = await restoreRest(answer, this.services);
			return rest.type === 'restored'
				? { image: rest.image, note: messages.restored(rest.image.keptRest) }
				: rest;
		} catch (error) {
			log.error('The rest of a picture could not be restored', error);
			return { note: messages.notRestored(safeText(wordsOf(error))) };
		}
	}

	/** Makes the file that documents show; where that is not possible they show the image itself. */
	async #publish(
		{ id, publish }: GenerationRequest,
		image: vscode.Uri,
	): Promise<{ readonly uri?: vscode.Uri; readonly note?: string }> {
		if (publish === undefined) {
			return {};
		}
		try {
			const { uri, sha256 } = await this.services.exporter.publish(image, publish);
			await this.services.gallery.notePublished(id, uri.toString(), sha256);
			return { uri };
		} catch (error) {
			log.error('A saved image could not be exported', error);
			return { note: messages.notExported(safeText(wordsOf(error))) };
		}
	}
}
