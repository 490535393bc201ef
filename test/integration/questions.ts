import * as vscode from 'vscode';

/** A question that stood in the way of everything else. */
export interface Question {
	readonly text: string;
	readonly detail: string;
	readonly modal: boolean;
	readonly buttons: readonly string[];
}

/**
 * Answers every warning while something is done; VS Code shows no dialog while its tests run.
 *
 * @param answer the label of the button that is pressed; `undefined` for none
 */
export async function answering<T>(
	answer: string | undefined,
	task: () => PromiseLike<T>,
): Promise<{ readonly result: T; readonly asked: Question[] }> {
	const asked: Question[] = [];
	const { showWarningMessage } = vscode.window;
	const show = (text: string, options: vscode.MessageOptions, ...buttons: string[]) => {
		const { modal = false, detail = '' } = options;
		asked.push({ text, detail, modal, buttons });
		return Promise.resolve(answer);
	};
	Object.assign(vscode.window, { showWarningMessage: show });
	try {
		return { result: await task(), asked };
	} finally {
		Object.assign(vscode.window, { showWarningMessage });
	}
}
