import * as vscode from 'vscode';

/** A status bar item with the number of images under way; absent where there are none. */
export class RunningImages implements vscode.Disposable {
	#item: vscode.StatusBarItem | undefined;
	#count = 0;

	/** Counts an image until the returned function is called. */
	add(): () => void {
		this.#change(1);
		return () => {
			this.#change(-1);
		};
	}

	dispose(): void {
		this.#item?.dispose();
	}

	#change(by: number): void {
		this.#count += by;
		if (this.#count === 0) {
			this.#item?.hide();
			return;
		}
		this.#item ??= createItem();
		const images = this.#count === 1 ? '1 image' : `${String(this.#count)} images`;
		this.#item.text = `$(loading~spin) ${images}`;
		this.#item.tooltip = `Easel: ${images} under way. Select to see them in the Image Studio.`;
		this.#item.accessibilityInformation = { label: `Easel: ${images} under way`, role: 'button' };
		this.#item.show();
	}
}

function createItem(): vscode.StatusBarItem {
	const item = vscode.window.createStatusBarItem('easel.running', vscode.StatusBarAlignment.Left);
	item.name = 'Easel: Images Under Way';
	item.command = 'easel.openStudio';
	return item;
}
