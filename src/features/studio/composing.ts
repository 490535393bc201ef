import * as vscode from 'vscode';
import { wordsOf } from '../../editor/errorTexts.js';
import { notify, runDetached } from '../../editor/messages.js';
import { safeText } from '../../editor/untrustedText.js';
import { documentTextAt } from '../../models/documentText.js';
import type { KnownRounds } from '../../library/knownRounds.js';
import { areModelsOn, receiveAnswer, type ModelTask } from '../../models/languageModels.js';
import { drafting } from '../../messages.js';
import { draftTask, improveTask, promptIn } from '../../models/promptTasks.js';
import type { Slot } from '../../library/rounds.js';
import { ImageError } from '../../images/inspect.js';
import { readableDimensions, readableSize } from '../../images/readableSize.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import { log } from '../../log.js';
import type { ModelTaskName, Reference, StudioEvent } from '../../protocol/studio.js';
import { nearestSize } from '../../service/contract.js';
import { sourceBeside } from './besideStudio.js';
import { studioMessages } from '../messages.js';
import { updateDetached, type StudioContext, type StudioDeps } from './deps.js';
import type { DraftReference, DraftReferences } from './references.js';

/** A request that the composer begins with. */
export type Composed = Pick<
	GalleryImage,
	'operation' | 'prompt' | 'size' | 'references' | 'withoutStyle'
> & {
	readonly quality?: 'high' | 'low' | 'unset' | undefined;
};

/** What the composer begins with, beside its reference images. */
export type SentDraft = Omit<Extract<StudioEvent, { readonly type: 'compose' }>, 'references'>;

/**
 * The image becomes the one that is edited. What is written stays: it may be about it, and is easily
 * written over.
 *
 * @throws {RefusedReference} where its file cannot be used
 */
export async function toEdit(image: vscode.Uri, references: DraftReferences): Promise<SentDraft> {
	await references.edit(image);
	return { type: 'compose', count: 1 };
}

/** What a language model can be asked for now. */
export function possibleModelTasks(): ModelTaskName[] {
	if (!areModelsOn()) {
		return [];
	}
	return sourceBeside() === undefined ? ['improve'] : ['draft', 'improve'];
}

/**
 * Has a language model write a prompt: for the section at the cursor beside the studio, or a better
 * one; `undefined` where nothing is to be sent, or the user cancels.
 */
export async function promptByModel(
	task: ModelTaskName,
	written: string,
	{ models, styles }: StudioDeps,
): Promise<string | undefined> {
	const question =
		task === 'draft' ? await taskForDocument(sourceBeside(), styles) : improveTask(written);
	if (question === undefined) {
		const words = task === 'draft' ? drafting.nothingToDraftFrom : drafting.promptEmpty;
		runDetached(notify('info', words));
		return undefined;
	}
	const send = await models.ask(question);
	const answer = send && (await receiveAnswer(question.title, send));
	return answer && promptIn(answer);
}

async function taskForDocument(
	editor: vscode.TextEditor | undefined,
	styles: StudioDeps['styles'],
): Promise<ModelTask | undefined> {
	const source = editor && (await documentTextAt(editor.document, editor.selection));
	return source === undefined || source.text === '' ? undefined : draftTask(source, styles);
}

/** A request exactly as it was; its reference images take the place of those of the draft. */
export async function toMakeAgain(
	{ operation, prompt, size, quality = 'unset', references: sources, withoutStyle }: Composed,
	references: DraftReferences,
): Promise<SentDraft> {
	const uris = sources.map((source) => vscode.Uri.parse(source, true));
	const gone = await references.restore(uris, operation === 'edit');
	return {
		type: 'compose',
		prompt,
		size,
		quality,
		withoutStyle: withoutStyle === true,
		...(gone.length === 0 ? {} : { words: goneWords(gone) }),
	};
}

/** The same in high quality, which reference images do not know. */
export async function toMakeInHighQuality(
	{ prompt, size, withoutStyle }: GalleryImage,
	references: DraftReferences,
): Promise<SentDraft> {
	await references.restore([], false);
	return {
		type: 'compose',
		prompt,
		...({ size, quality: 'high', count: 1, withoutStyle: withoutStyle === true } as const),
		words: studioMessages.newPicture,
	};
}

/** Says which reference images have been left out. */
export function goneWords(names: readonly string[]): string {
	return studioMessages.removedReferences(names.map((name) => safeText(name, 60)));
}

/** Shows the page the reference images of the draft. */
export class ShownReferences {
	/** How many drafts are being filled: they show the reference images then. */
	#filling = 0;
	/** Where the page loads their thumbnails from, by the identifier of the reference. */
	readonly #thumbnails = new Map<string, string>();

	constructor(private readonly context: StudioContext) {}

	/** Resolves when the page has been sent them; their thumbnails come later. */
	async show(): Promise<void> {
		const known = await this.#known();
		const references = await this.context.references.list();
		if (this.#filling === 0) {
			this.context.send({ type: 'references', references: this.#shown(references, known) });
			updateDetached(this.#makeThumbnails(references));
		}
	}

	/**
	 * Shows a draft whose reference images change with the rest of it. No user ever sees, and sends,
	 * the ones with the other's prompt.
	 *
	 * @param fill changes the reference images
	 * @throws what it throws
	 */
	async showWith(fill: () => Promise<SentDraft>): Promise<void> {
		this.#filling++;
		try {
			const draft = await fill();
			const known = await this.#known();
			const references = await this.context.references.list();
			this.context.send({ ...draft, references: this.#shown(references, known) });
		} finally {
			this.#filling--;
			// What else has changed meanwhile, and what has changed before it failed.
			await this.show();
		}
	}

	/** Without it they have no labels. */
	async #known(): Promise<KnownRounds | undefined> {
		try {
			return await this.context.rounds.read();
		} catch (error) {
			log.error('The images of the studio are not known', error);
			return undefined;
		}
	}

	/** Shows the references again where one has another thumbnail than before. */
	async #makeThumbnails(references: readonly DraftReference[]): Promise<void> {
		let isNew = false;
		await Promise.all(
			references.map(async ({ id, uri, facts }) => {
				const isUsable = !(facts instanceof ImageError);
				const thumbnail = isUsable ? await this.context.sources.ofThumbnail(uri) : undefined;
				if (thumbnail !== undefined && this.#thumbnails.get(id) !== thumbnail) {
					this.#thumbnails.set(id, thumbnail);
					isNew = true;
				}
			}),
		);
		if (isNew) {
			await this.show();
		}
	}

	#shown(references: readonly DraftReference[], known: KnownRounds | undefined): Reference[] {
		return references.map((reference) =>
			shown(reference, this.#thumbnails.get(reference.id), known?.imageAt(reference.uri)),
		);
	}
}

function shown(
	{ id, name, edited, fromView, facts }: DraftReference,
	thumbnail: string | undefined,
	slot: Slot | undefined,
): Reference {
	const isUsable = !(facts instanceof ImageError);
	return {
		id,
		name: name.slice(0, 300),
		details: isUsable
			? `${readableDimensions(facts)} · ${readableSize(facts.bytes)}`
			: wordsOf(facts),
		problem: !isUsable,
		edited,
		...(fromView === undefined ? {} : { fromView: true }),
		...(edited && isUsable ? { size: nearestSize(facts) } : {}),
		...(thumbnail === undefined ? {} : { thumbnail }),
		...(slot === undefined ? {} : { label: slot.label, image: slot.id }),
	};
}
