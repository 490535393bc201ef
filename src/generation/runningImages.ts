import * as vscode from 'vscode';
import type { JobList } from './jobList.js';

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
		const words = [
			...(running > 0 ? [`${imagesWords(running)} in progress`] : []),
			...(unsaved > 0 ? [`${imagesWords(unsaved)} not saved`] : []),
		].join(', ');
		const icon = unsaved > 0 ? '$(warning)' : '$(loading~spin)';
		this.#item.text =
			running > 0 ? `${icon} ${imagesWords(running)}` : `${icon} ${imagesWords(unsaved)} not saved`;
		this.#item.tooltip = `Easel: ${words}. Click to open Image Studio.`;
		this.#item.accessibilityInformation = { label: `Easel: ${words}`, role: 'button' };
		this.#item.backgroundColor =
			unsaved > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
		this.#item.show();
	}
}

function imagesWords(count: number): string {
	return count === 1 ? '1 image' : `${String(count)} images`;
}

function createItem(): vscode.StatusBarItem {
	const item = vscode.window.createStatusBarItem('easel.running', vscode.StatusBarAlignment.Left);
	item.name = 'Easel: Images in Progress';
	item.command = 'easel.openStudio';
	return item;
}
