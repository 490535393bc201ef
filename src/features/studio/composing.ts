import type * as vscode from 'vscode';
import { wordsOf } from '../../editor/errorTexts.js';
import { notify, runDetached } from '../../editor/messages.js';
import { documentTextAt } from '../../models/documentText.js';
import type { KnownRounds } from '../../library/knownRounds.js';
import { areModelsOn, receiveAnswer, type ModelTask } from '../../models/languageModels.js';
import { drafting } from '../../messages.js';
import { draftTask, improveTask, promptIn } from '../../models/promptTasks.js';
import type { RoundSlot } from '../../library/rounds.js';
import { ImageError } from '../../images/inspect.js';
import { readableDimensions, readableSize } from '../../images/readableSize.js';
import { log } from '../../log.js';
import type { ModelTaskName, StudioReference } from '../../protocol/studioModel.js';
import { nearestOffered } from '../../editor/service.js';
import { sourceBeside } from './besideStudio.js';
import type { FolderFile } from './folderFiles.js';
import type { StudioContext, StudioDeps } from './deps.js';
import { updateDetached } from './updates.js';
import type { DraftReference, ComposeContent } from './references.js';

/** Returns the tasks that a language model can be given now. */
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

/** Shows the page the reference images of the draft. */
export class ShownReferences {
	/** Addresses of their thumbnails, by the identifier of the reference. */
	readonly #thumbnails = new Map<string, string>();
	/** Goes with the references that are shown next, whichever change shows them. */
	#draft: ComposeContent | undefined;

	constructor(private readonly context: StudioContext) {}

	/**
	 * Resolves when the page has been sent them; their thumbnails come later.
	 *
	 * @param draft what the composer begins with together with them: no user ever sees, and sends, the
	 *   references of one prompt with another
	 */
	async show(draft?: ComposeContent): Promise<void> {
		this.#draft = draft ?? this.#draft;
		const known = await this.#known();
		const references = await this.context.references.list();
		const shown = this.#shown(references, known);
		const sent = this.#draft ?? ({ type: 'references' } as const);
		this.#draft = undefined;
		this.context.send({ ...sent, references: shown });
		updateDetached(this.#makeThumbnails(references));
	}

	/** Returns the rounds, for the labels of references; `undefined` where they cannot be read. */
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

	#shown(references: readonly DraftReference[], known: KnownRounds | undefined): StudioReference[] {
		return references.map((reference) =>
			shown(
				reference,
				this.#thumbnails.get(reference.id),
				known?.imageAt(reference.uri) ?? this.context.files.fileAt(reference.uri),
			),
		);
	}
}

function shown(
	{ id, name, edited, fromView, facts }: DraftReference,
	thumbnail: string | undefined,
	image: Pick<RoundSlot, 'id' | 'label'> | FolderFile | undefined,
): StudioReference {
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
		...(edited && isUsable ? { size: nearestOffered(facts) } : {}),
		...(thumbnail === undefined ? {} : { thumbnail }),
		...(image === undefined ? {} : { image: image.id }),
		...(image !== undefined && 'label' in image ? { label: image.label } : {}),
	};
}
