import { posix } from 'node:path';
import type * as vscode from 'vscode';
import { EaselError } from '../easelError.js';
import { safeText } from '../editor/untrustedText.js';
import { inputButton } from '../editor/quickInput.js';
import type { Draft, DraftItem } from './draft.js';
import { previewLabel, type Previewed } from '../style/requestPreview.js';
import type { ReadStyle } from '../style/styleFile.js';
import type { Styles } from '../style/styles.js';
import { labels, phrases } from '../messages.js';

type StyleChoice = Pick<Draft, 'withoutStyle'>;

/** The style guide in the questions for an image, and how to leave it out for this one. */
export class StyleOption {
	readonly #leaveOut = inputButton('symbol-color', labels.withoutStyle);
	readonly #takeIn: vscode.QuickInputButton;

	private constructor(
		private readonly styles: Pick<Styles, 'preview'>,
		private readonly style: ReadStyle | EaselError | undefined,
		private readonly asSent: (typed: string) => string,
	) {
		this.#takeIn = inputButton('circle-slash', labels.useStyle(this.#name));
	}

	/** Reads that of a folder as it is now; `asSent` returns the prompt that is sent for what is typed. */
	static async of(
		folder: vscode.Uri | undefined,
		styles: Pick<Styles, 'look' | 'preview'>,
		asSent: (typed: string) => string = (typed) => typed,
	): Promise<StyleOption> {
		return new StyleOption(styles, await styles.look(folder), asSent);
	}

	buttons({ withoutStyle }: StyleChoice): vscode.QuickInputButton[] {
		return this.isThere ? [withoutStyle ? this.#takeIn : this.#leaveOut] : [];
	}

	items(draft: Draft): DraftItem[] {
		const preview: DraftItem = {
			icon: 'eye',
			label: previewLabel,
			description: phrases.wholePrompt,
			value: 'sent',
			run: async (now) => {
				await this.show(now);
				return now;
			},
		};
		if (!this.isThere) {
			return [preview];
		}
		const toggle: DraftItem = {
			icon: draft.withoutStyle ? 'circle-slash' : 'symbol-color',
			label: draft.withoutStyle ? labels.useStyle(this.#name) : labels.withoutStyle,
			description: this.words(draft) ?? '',
			value: 'style',
			run: (now) => Promise.resolve(toggled(now)),
		};
		return [toggle, preview];
	}

	async show(asked: Previewed): Promise<void> {
		const prompt = this.asSent(asked.prompt.trim());
		await this.styles.preview.show([[{ ...asked, prompt }, this.applied(asked)]]);
	}

	/** Returns the draft without the style, or with it, where its button was chosen; else `undefined`. */
	toggle<Choice extends StyleChoice>(
		chosen: vscode.QuickInputButton,
		choice: Choice,
	): Choice | undefined {
		return chosen === this.#leaveOut || chosen === this.#takeIn ? toggled(choice) : undefined;
	}

	/** Returns the number of reference images that come with it: with any, an image is an edit. */
	references(choice: StyleChoice): number {
		return this.applied(choice)?.references.length ?? 0;
	}

	/** Returns in a few words what it adds; `undefined` where there is none. */
	words(choice: StyleChoice): string | undefined {
		if (!this.isThere) {
			return undefined;
		}
		if (choice.withoutStyle) {
			return phrases.withoutStyle;
		}
		return this.style instanceof EaselError
			? phrases.unusableStyle
			: phrases.style(this.#name, this.references(choice));
	}

	get isThere(): boolean {
		return this.style !== undefined;
	}

	get #name(): string {
		return this.style === undefined || this.style instanceof EaselError
			? labels.style
			: safeText(posix.basename(this.style.path), 40);
	}

	/** The style that would be applied; `undefined` for none. */
	applied({ withoutStyle }: StyleChoice): ReadStyle | undefined {
		return withoutStyle || this.style instanceof EaselError ? undefined : this.style;
	}
}

function toggled<Choice extends StyleChoice>(choice: Choice): Choice {
	return { ...choice, withoutStyle: choice.withoutStyle ? undefined : true };
}
