import * as vscode from 'vscode';
import { richText } from '../editor/richText.js';
import type { JobList } from './jobList.js';
import { labels, phrases } from './messages.js';
import { firstByUrgency, noteHover } from './placeNote.js';

/**
 * A status bar item for the images in progress, with the time of the one that the user has to know
 * about first, or for those that are here and could not be saved; absent where there are none. Its
 * hover lists them, each with Cancel; so does a click, for the keyboard.
 */
export class RunningImages implements vscode.Disposable {
	#item: vscode.StatusBarItem | undefined;
	#ticking: NodeJS.Timeout | undefined;
	readonly #listening: vscode.Disposable;

	constructor(private readonly jobs: Pick<JobList, 'running' | 'unsaved' | 'onDidChange'>) {
		this.#listening = jobs.onDidChange(() => {
			this.#show();
		});
	}

	dispose(): void {
		clearInterval(this.#ticking);
		this.#listening.dispose();
		this.#item?.dispose();
	}

	#show(): void {
		const { running, unsaved } = this.jobs;
		if (running.length === 0) {
			clearInterval(this.#ticking);
			this.#ticking = undefined;
		} else {
			// The words change from second to second.
			this.#ticking ??= setInterval(() => this.#showTime(), 1000);
		}
		if (running.length + unsaved.length === 0) {
			this.#item?.hide();
			return;
		}
		this.#item ??= createItem();
		const isWarning = unsaved.length > 0 || running.some(({ stage }) => stage === 'asking');
		this.#item.accessibilityInformation = { label: `Easel: ${this.#words()}`, role: 'button' };
		this.#item.backgroundColor = isWarning
			? new vscode.ThemeColor('statusBarItem.warningBackground')
			: undefined;
		this.#showTime();
		this.#item.show();
	}

	#showTime(): void {
		const { running, unsaved } = this.jobs;
		if (this.#item !== undefined && running.length + unsaved.length > 0) {
			const icon = unsaved.length > 0 ? '$(warning)' : '$(loading~spin)';
			const first = firstByUrgency(running);
			this.#item.text = `${icon} ${
				first === undefined
					? phrases.imagesNotSaved(unsaved.length)
					: phrases.imagesFor(running.length, first.short)
			}`;
			this.#item.tooltip = richText([
				{ type: 'text', text: phrases.showImages(this.#words()) },
				...noteHover(running),
			]);
		}
	}

	#words(): string {
		const { running, unsaved } = this.jobs;
		const inProgress = running.length > 0 ? phrases.imagesInProgress(running.length) : '';
		const notSaved = unsaved.length > 0 ? phrases.imagesNotSaved(unsaved.length) : '';
		return [inProgress, notSaved].filter(Boolean).join(', ');
	}
}

function createItem(): vscode.StatusBarItem {
	const item = vscode.window.createStatusBarItem('easel.running', vscode.StatusBarAlignment.Left);
	item.name = labels.imagesInProgress;
	item.command = 'easel.showImagesInProgress';
	return item;
}
