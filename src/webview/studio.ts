// The page of the image studio: the element, and what it says to the extension.
import { studioProtocol } from '../protocol/studio.js';
import { studioStateSchema } from '../protocol/studioModel.js';
import { connect, useStyles, vscode } from './connection.js';
import { EaselStudio } from './easelStudio.js';
import pageStyles from './page.css';
import studioStyles from './studio.css';
import { StudioStore } from './studio/store.js';

useStyles(pageStyles, studioStyles);

const extension = connect(studioProtocol, (event) => store.receive(event));
const store = new StudioStore(
	(request) => extension.ask(request),
	// At each key: a window that is reloaded right after one says nothing to its pages.
	(state) => vscode.setState(state),
);

const studio = new EaselStudio();
studio.store = store;
document.body.append(studio);
// A state that cannot be read counts as none.
store.begin(studioStateSchema.safeParse(vscode.getState()).data);

// One opens the studio and types. What gives an element the focus gives it to the window first.
const focusPrompt = () =>
	setTimeout(() => {
		if (document.activeElement === document.body) {
			store.focus.request('prompt');
		}
	});
window.addEventListener('focus', focusPrompt);
if (document.hasFocus()) {
	focusPrompt();
}
