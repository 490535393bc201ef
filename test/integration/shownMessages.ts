import * as vscode from 'vscode';
import { atEnd } from './atEnd.js';

/** A message as Easel shows it. */
export interface ShownMessage {
	readonly text: string;
	/** Empty where there is none. */
	readonly detail: string;
	readonly modal: boolean;
	readonly buttons: readonly string[];
}

type Kind = 'showErrorMessage' | 'showInformationMessage' | 'showWarningMessage';

/** Which of its buttons is pressed; `undefined` for none. */
type Answer = (message: ShownMessage) => string | undefined | Promise<string | undefined>;

/** The messages that Easel shows until the test ends: VS Code shows none while its tests run. */
export class ShownMessages implements vscode.Disposable {
	readonly all: ShownMessage[] = [];
	/** The functions that show them otherwise. */
	readonly #before: object;

	constructor(kinds: readonly Kind[], answer: Answer = () => undefined) {
		atEnd(() => this.dispose());
		this.#before = Object.fromEntries(kinds.map((kind) => [kind, vscode.window[kind]]));
		const show = async (text: string, ...more: (vscode.MessageOptions | string)[]) => {
			const [first] = more;
			const { detail = '', modal = false } = typeof first === 'object' ? first : {};
			const buttons = more.filter((one) => typeof one === 'string');
			const message = { text, detail, modal, buttons };
			this.all.push(message);
			return answer(message);
		};
		Object.assign(vscode.window, Object.fromEntries(kinds.map((kind) => [kind, show])));
	}

	dispose(): void {
		Object.assign(vscode.window, this.#before);
	}

	get texts(): string[] {
		return this.all.map(({ text }) => text);
	}

	/** Their texts, each with its buttons: `1 image saved | Open`. */
	get reported(): string[] {
		return this.all.map(({ text, buttons }) => [text, ...buttons].join(' | '));
	}

	/** Forgets those that were shown so far. */
	clear(): void {
		this.all.length = 0;
	}
}
