// The page of the image studio: the element, and what it says to the extension.
import { studioProtocol } from '../protocol/studio.js';
import { connect, useStyles, vscode } from './connection.js';
import { EaselStudio } from './easelStudio.js';
import pageStyles from './page.css';
import studioStyles from './studio.css';
import { savedStateOf, StateKeeper } from './studio/stateKeeper.js';
import { StudioStore } from './studio/store.js';

useStyles(pageStyles, studioStyles);

const keeper = new StateKeeper((state) => vscode.setState(state));
const extension = connect(studioProtocol, (event) => store.receive(event));
const store = new StudioStore(
	(request) => extension.ask(request),
	(state) => keeper.keep(state),
);

// The page may go without another word, when the editor is closed, hidden, or the window reloads.
for (const type of ['blur', 'pagehide']) {
	window.addEventListener(type, () => keeper.flush());
}
document.addEventListener('visibilitychange', () => keeper.flush());

const studio = new EaselStudio();
studio.store = store;
document.body.append(studio);
store.begin(savedStateOf(vscode.getState()));

// One opens the studio and types. What gives an element the focus gives it to the window first.
const focusPrompt = () =>
	setTimeout(() => {
		if (document.activeElement === document.body) {
			store.focus('prompt');
		}
	});
window.addEventListener('focus', focusPrompt);
if (document.hasFocus()) {
	focusPrompt();
}
