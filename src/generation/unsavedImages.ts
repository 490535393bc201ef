import { runDetached } from '../editor/messages.js';
import type { JobEntry } from '../jobs/jobFolder.js';
import type { StateNamed } from '../jobs/state.js';
import { askForTarget, deliverUnsaved, discardUnsaved } from './destination.js';
import type { GeneratorServices } from './generatorServices.js';
import type { UnsavedImage } from './jobList.js';
import { reportNotSaved } from './report.js';

export type UnsavedAction = 'saveAgain' | 'saveAs' | 'discard';

/** Images that have arrived and could not be saved, and what the user chooses about them. */
export class UnsavedImages {
	constructor(
		private readonly services: GeneratorServices,
		private readonly onSaved: (entry: JobEntry, state: StateNamed<'saved'>) => Promise<void>,
	) {}

	/** Lists an image that could not be saved, and offers other ways where the list is not seen. */
	add(entry: JobEntry, state: StateNamed<'received'>): void {
		const { jobs } = this.services;
		const image = jobs.addUnsaved(entry, state);
		if (!jobs.isShown) {
			runDetached(
				reportNotSaved(image.problem).then((action) => action && this.act(action, image)),
			);
		}
	}

	/**
	 * Does what the user has chosen about an image that could not be saved: tries it once more, saves
	 * it where the user chooses, or discards it after a question.
	 */
	async act(action: UnsavedAction, image: UnsavedImage): Promise<void> {
		if (action === 'discard') {
			await discardUnsaved(image, this.services);
			return;
		}
		const target = action === 'saveAs' ? await askForTarget(image) : undefined;
		if (action === 'saveAs' && target === undefined) {
			// It is listed still; who had only the message gets it again.
			this.add(image.entry, image.state);
			return;
		}
		const end = await deliverUnsaved(image, this.services, target);
		if (end?.state === 'saved') {
			this.services.jobs.forget(image.entry.request.id);
			await this.onSaved(image.entry, end);
		} else if (end !== undefined) {
			this.add(image.entry, end);
		}
	}
}
