import * as vscode from 'vscode';
import type { JobList } from './jobList.js';
import { labels, phrases } from './messages.js';

/**
 * A status bar item with the number of images in progress, or of those that are here and could not
 * be saved; absent where there are none.
 */
export class RunningImages implements vscode.Disposable {
	#item: vscode.StatusBarItem | undefined;
	readonly #listening: vscode.Disposable;

	constructor(private readonly jobs: Pick<JobList, 'running' | 'unsaved' | 'onDidChange'>) {
		this.#listening = jobs.onDidChange(() => {
			this.#show();
		});
	}

	dispose(): void {
		this.#listening.dispose();
		this.#item?.dispose();
	}

	#show(): void {
		const running = this.jobs.running.length;
		const unsaved = this.jobs.unsaved.length;
		if (running + unsaved === 0) {
			this.#item?.hide();
			return;
		}
		this.#item ??= createItem();
		const inProgress = running > 0 ? phrases.imagesInProgress(running) : '';
		const notSaved = unsaved > 0 ? phrases.imagesNotSaved(unsaved) : '';
		const words = [inProgress, notSaved].filter(Boolean).join(', ');
		const icon = unsaved > 0 ? '$(warning)' : '$(loading~spin)';
		this.#item.text = `${icon} ${running > 0 ? phrases.images(running) : notSaved}`;
		this.#item.tooltip = `Easel: ${words}. Click to open Image Studio.`;
		this.#item.accessibilityInformation = { label: `Easel: ${words}`, role: 'button' };
		this.#item.backgroundColor =
			unsaved > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
		this.#item.show();
	}
}

function createItem(): vscode.StatusBarItem {
	const item = vscode.window.createStatusBarItem('easel.running', vscode.StatusBarAlignment.Left);
	item.name = labels.imagesInProgress;
	item.command = 'easel.openStudio';
	return item;
}
