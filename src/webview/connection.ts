import type { EventOf, Protocol } from '../protocol/channel.js';
import { PageChannel } from '../protocol/pageChannel.js';

/** Returns the API of VS Code; a page can ask for it once. */
declare function acquireVsCodeApi(): {
	postMessage(message: unknown): void;
	getState(): unknown;
	/** Kept with the editor: it is there again when the page is, after a reload of the window too. */
	setState(state: unknown): void;
};

export const vscode = acquireVsCodeApi();

/** Connects the page with the extension, once. */
export function connect<P extends Protocol>(
	protocol: P,
	onEvent: (event: EventOf<P>) => void,
): Pick<PageChannel<P>, 'ask'> {
	const end = new PageChannel(protocol, {
		post: (message) => vscode.postMessage(message),
		onEvent,
		onRefused: (problem) => console.warn(`Easel refused a message: ${problem}`),
	});
	window.addEventListener('message', ({ data }) => end.receive(data));
	return end;
}

/** Gives the page its style sheets. They are texts of the script: its policy allows no others. */
export function useStyles(...texts: readonly string[]): void {
	document.adoptedStyleSheets = texts.map((text) => {
		const sheet = new CSSStyleSheet();
		sheet.replaceSync(text);
		return sheet;
	});
}
