// The page of the Compare editor: the element, and what it says to the extension.
import {
	receiveFromHost,
	savedStateSchema,
	type Pair,
	type PageMessage,
} from '../protocol/compare.js';
import { EaselCompare } from './easelCompare.js';

/** What VS Code gives to a page, once. */
declare function acquireVsCodeApi(): {
	postMessage(message: unknown): void;
	getState(): unknown;
	/** Kept with the editor: it is there again when the page is, after a reload of the window too. */
	setState(state: unknown): void;
};

const vscode = acquireVsCodeApi();
const compare = document.body.appendChild(new EaselCompare());
const saved = savedStateSchema.safeParse(vscode.getState());
let pair: Pair | undefined;
if (saved.success) {
	compare.view = saved.data.view;
	pair = saved.data.pair;
}

window.addEventListener('message', ({ data }) => {
	const received = receiveFromHost(data);
	if (!received.success) {
		console.warn(`Easel refused a message: ${received.problem}`);
		return;
	}
	({ left: compare.left, right: compare.right, pair } = received.message);
	save();
});

compare.addEventListener('easel-view-change', save);
compare.addEventListener('easel-undecodable', ({ detail }) =>
	tell({ type: 'undecodable', side: detail }),
);
tell({ type: 'ready' });

function save(): void {
	if (pair !== undefined) {
		vscode.setState({ pair, view: compare.view });
	}
}

function tell(message: PageMessage): void {
	vscode.postMessage(message);
}
