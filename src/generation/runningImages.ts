import * as vscode from 'vscode';
import { richText } from '../editor/richText.js';
import type { JobList } from './jobList.js';
import { labels, phrases } from '../messages.js';
import { firstByUrgency, noteHover } from './placeNote.js';

/**
 * A status bar item for the images in progress or not saved, with the time of the most urgent one.
 * Its hover lists them, each with Cancel; so does a click, for the keyboard.
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
		clearInterval(this.#ticking);
		if (running.length + unsaved.length === 0) {
			this.#item?.hide();
			return;
		}
		this.#item ??= createItem();
		const isWarning = unsaved.length > 0 || running.some(({ stage }) => stage === 'asking');
		this.#item.backgroundColor = isWarning
			? new vscode.ThemeColor('statusBarItem.warningBackground')
			: undefined;
		const words = [
			...(running.length > 0 ? [phrases.imagesInProgress(running.length)] : []),
			...(unsaved.length > 0 ? [phrases.imagesNotSaved(unsaved.length)] : []),
		].join(', ');
		this.#item.accessibilityInformation = { label: `Easel: ${words}`, role: 'button' };
		this.#showTime(this.#item, words);
		this.#item.show();
		if (running.length > 0) {
			this.#ticking = setInterval(this.#showTime.bind(this), 1000, this.#item, words);
		}
	}

	/** Shows what changes from second to second. */
	#showTime(item: vscode.StatusBarItem, words: string): void {
		const { running, unsaved } = this.jobs;
		const icon = unsaved.length > 0 ? '$(warning)' : '$(loading~spin)';
		const first = firstByUrgency(running);
		item.text = `${icon} ${
			first === undefined
				? phrases.imagesNotSaved(unsaved.length)
				: phrases.imagesFor(running.length, first.short)
		}`;
		item.tooltip = richText([
			{ type: 'text', text: phrases.showImages(words) },
			...noteHover(running),
		]);
	}
}

function createItem(): vscode.StatusBarItem {
	const item = vscode.window.createStatusBarItem('easel.running', vscode.StatusBarAlignment.Left);
	item.name = labels.imagesInProgress;
	item.command = 'easel.showImagesInProgress';
	return item;
}
