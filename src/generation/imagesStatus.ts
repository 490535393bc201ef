import * as vscode from 'vscode';
import { richText } from '../editor/richText.js';
import type { NewDrafts } from '../library/newDrafts.js';
import type { JobList } from './jobList.js';
import type { OpenQuestions } from './openQuestions.js';
import { labels, phrases } from '../messages.js';
import { firstByUrgency, noteHover } from './placeNote.js';

/**
 * A status bar item for the images in progress, with the time of the most urgent one, and for what waits
 * for the user: questions, images that are not saved, new drafts. Its hover lists the images in
 * progress, each with Cancel; a click opens what waits.
 */
export class ImagesStatus implements vscode.Disposable {
	#item: vscode.StatusBarItem | undefined;
	#ticking: NodeJS.Timeout | undefined;
	readonly #listening: vscode.Disposable;

	constructor(
		private readonly jobs: Pick<JobList, 'running' | 'unsaved' | 'onDidChange'>,
		private readonly questions: Pick<OpenQuestions, 'all' | 'onDidChange'>,
		private readonly drafts: Pick<NewDrafts, 'all' | 'onDidChange'>,
	) {
		const show = () => this.#show();
		this.#listening = vscode.Disposable.from(
			...[jobs, questions, drafts].map(({ onDidChange }) => onDidChange(show)),
		);
	}

	dispose(): void {
		clearInterval(this.#ticking);
		this.#listening.dispose();
		this.#item?.dispose();
	}

	get #counts() {
		const asking = this.jobs.running.filter(({ stage }) => stage === 'asking').length;
		return {
			running: this.jobs.running.length - asking,
			toDecide: asking + this.questions.all.length,
			notSaved: this.jobs.unsaved.length,
			newDrafts: this.drafts.all.length,
		};
	}

	#show(): void {
		clearInterval(this.#ticking);
		const counts = this.#counts;
		const words = phrases.waiting(counts);
		if (words === '') {
			this.#item?.hide();
			return;
		}
		this.#item ??= createItem();
		this.#item.backgroundColor =
			counts.toDecide + counts.notSaved > 0
				? new vscode.ThemeColor('statusBarItem.warningBackground')
				: undefined;
		this.#item.accessibilityInformation = { label: `Easel: ${words}`, role: 'button' };
		this.#showTime(this.#item, words);
		this.#item.show();
		if (counts.running > 0) {
			this.#ticking = setInterval(this.#showTime.bind(this), 1000, this.#item, words);
		}
	}

	/** Shows what changes from second to second. */
	#showTime(item: vscode.StatusBarItem, words: string): void {
		const { running } = this.jobs;
		const { toDecide, notSaved, newDrafts, running: inProgress } = this.#counts;
		const icon =
			toDecide + notSaved > 0
				? '$(warning)'
				: inProgress > 0
					? '$(loading~spin)'
					: '$(git-compare)';
		const first = firstByUrgency(running);
		const isAlone = first !== undefined && toDecide + notSaved + newDrafts === 0;
		item.text = `${icon} ${isAlone ? phrases.imagesFor(running.length, first.short) : words}`;
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
