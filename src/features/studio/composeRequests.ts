import type * as vscode from 'vscode';
import type { Draft } from '../../asking/draft.js';
import { askOwnSize, askReferences } from '../../asking/options.js';
import { StyleOption } from '../../asking/styleOption.js';
import { EaselError } from '../../easelError.js';
import { wordsOf } from '../../editor/errorTexts.js';
import { asReferences, knownQuality } from '../../editor/imageRequest.js';
import { ImageError } from '../../images/inspect.js';
import type { Mark } from '../../images/marks.js';
import { sizeSchema } from '../../service/contract.js';
import { styleFileOf } from '../../style/styleFile.js';
import { openStyleGuide } from '../../style/styles.js';
import { studioMessages } from '../messages.js';
import { folderHere, generate } from './actions.js';
import { promptByModel } from './composing.js';
import type { PageRequest, StudioContext } from './deps.js';
import type { Outbox } from './outbox.js';
import { RefusedReference } from './references.js';
import type { StudioView } from './view.js';

/** Does what the page asks for about the draft in the composer. */
export class ComposeRequests {
	constructor(
		private readonly context: StudioContext,
		private readonly view: StudioView,
		private readonly outbox: Outbox,
	) {}

	/**
	 * Makes the images of the draft; the page hears with the event `asked` when they are in the journal.
	 *
	 * @throws {RefusedReference} where it is not what the page shows, or cannot be used
	 */
	async generate(request: PageRequest<'generate'>): Promise<void> {
		const { begin, deps, references: ofDraft } = this.context;
		const references = await ofDraft.settled();
		const { prompt, size, quality, background, count, withoutStyle } = request;
		const style = await deps.styles.look(await this.#folder());
		const sha256 = style === undefined || style instanceof EaselError ? undefined : style.sha256;
		// A guide may have been changed a moment ago. One that cannot be used is reported later.
		if (withoutStyle !== true && sha256 !== request.style) {
			await this.view.showSetup();
			throw new RefusedReference(studioMessages.styleChanged);
		}
		const isAsShown =
			references.length === request.references.length &&
			references.every(({ id }, index) => id === request.references[index]) &&
			references.find(({ edited }) => edited)?.id === request.edited;
		if (!isAsShown) {
			throw new RefusedReference(studioMessages.referencesChanged);
		}
		const unusable = references.find(({ facts }) => facts instanceof ImageError);
		if (unusable?.facts instanceof ImageError) {
			throw new RefusedReference(studioMessages.nothingSent(wordsOf(unusable.facts)));
		}
		const draft: Draft = {
			operation: request.edited === undefined ? 'generate' : 'edit',
			prompt: prompt.trim(),
			size: sizeSchema.parse(size),
			quality: knownQuality(quality),
			background: background === 'transparent' ? background : undefined,
			count,
			references: asReferences(references.map(({ uri }) => uri)),
			withoutStyle: withoutStyle || undefined,
			...marksIn(request),
		};
		let accepted = false;
		const onAsked = () => {
			accepted = true;
			begin(this.#takeSent(draft.prompt, request.references));
			return Promise.resolve();
		};
		const making = generate(draft, ofDraft.pasted, deps, onAsked);
		begin(
			making.finally(() => {
				if (!accepted) {
					this.outbox.sendAsked(accepted);
				}
			}),
		);
		await this.view.showSetup();
	}

	/** Shows in a document what would be sent now. */
	async showSent(request: PageRequest<'showSent'>): Promise<void> {
		const { prompt, size, quality, background, count, withoutStyle } = request;
		const style = await StyleOption.of(await this.#folder(), this.context.deps.styles);
		await style.show({
			prompt,
			size: sizeSchema.parse(size),
			quality: knownQuality(quality),
			background: background === 'transparent' ? background : undefined,
			count,
			references: asReferences((await this.context.references.list()).map(({ uri }) => uri)),
			withoutStyle: withoutStyle || undefined,
			...marksIn(request),
		});
	}

	async askSize(size: string): Promise<void> {
		const answer = await askOwnSize(sizeSchema.parse(size), studioMessages.ownSize);
		if (answer?.type === 'value') {
			this.outbox.sendWhenReady({ type: 'sized', size: answer.value });
		}
	}

	async askModel({ task, prompt: instead }: PageRequest<'askModel'>): Promise<void> {
		const prompt = await promptByModel(task, instead, this.context.deps);
		if (prompt !== undefined) {
			this.outbox.sendWhenReady({ type: 'drafted', instead, prompt });
		}
	}

	async openStyle(): Promise<void> {
		const folder = await this.#folder();
		const guide = folder && (await styleFileOf(folder));
		await (guide && openStyleGuide(guide));
	}

	/** Returns the workspace folder that the draft belongs to. */
	async #folder(): Promise<vscode.Uri | undefined> {
		const [first] = await this.context.references.list();
		return folderHere(first?.uri)?.uri;
	}

	/** Takes the references away with the message, before its prompt. */
	async #takeSent(prompt: string, references: readonly string[]): Promise<void> {
		try {
			await this.context.references.takeSent(prompt, references);
			await this.view.showSetup();
		} finally {
			this.outbox.sendAsked(true);
		}
	}

	async pickReferences(): Promise<void> {
		const chosen = (await this.context.references.list()).map(({ uri }) => uri);
		const added = await askReferences(studioMessages.title, [], chosen);
		await this.context.references.add(added ?? []);
	}
}

/** Returns the marks of a request for its draft; nothing where there are none. */
function marksIn({ marks = [] }: Pick<PageRequest<'generate'>, 'marks'>): {
	marks?: readonly Mark[];
} {
	return marks.length === 0 ? {} : { marks };
}
