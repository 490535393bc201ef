// The page of the image studio: the element, and what it says to the extension.
import { receiveFromHost, savedStateSchema, type PageMessage } from '../protocol/studio.js';
import { EaselStudio } from './easelStudio.js';
import { StateKeeper } from './stateKeeper.js';

/** What VS Code gives to a page, once. */
declare function acquireVsCodeApi(): {
	postMessage(message: unknown): void;
	getState(): unknown;
	/** Kept with the editor: it is there again when the page is, after a reload of the window too. */
	setState(state: unknown): void;
};

const vscode = acquireVsCodeApi();
const studio = new EaselStudio();
const keeper = new StateKeeper((state) => vscode.setState(state));

const saved = savedStateSchema.safeParse(vscode.getState());
if (saved.success) {
	studio.saved = saved.data;
}

studio.addEventListener('easel-save', () => keeper.keep(studio.saved));
studio.addEventListener('easel-tell', ({ detail }) => vscode.postMessage(detail));
// The page may go without another word, when the editor is closed, hidden, or the window reloads.
for (const type of ['blur', 'pagehide']) {
	window.addEventListener(type, () => keeper.flush());
}
document.addEventListener('visibilitychange', () => keeper.flush());

window.addEventListener('message', ({ data }) => {
	const received = receiveFromHost(data);
	if (received.success) {
		studio.receive(received.message);
	} else {
		console.warn(`Easel refused a message: ${received.problem}`);
	}
});

document.body.append(studio);
vscode.postMessage({ type: 'ready' } satisfies PageMessage);
