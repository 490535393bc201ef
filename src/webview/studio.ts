// The page of the image studio: the element, and what it says to the extension.
import { studioProtocol } from '../protocol/studio.js';
import { connect, vscode } from './connection.js';
import { EaselStudio } from './easelStudio.js';
import { savedStateOf } from './studio/savedState.js';
import { StateKeeper } from './studio/stateKeeper.js';

const extension = connect(studioProtocol, (event) => studio.receive(event));
const studio = new EaselStudio((request) => extension.ask(request));
const keeper = new StateKeeper((state) => vscode.setState(state));

const saved = savedStateOf(vscode.getState());
if (saved !== undefined) {
	studio.saved = saved;
}

studio.addEventListener('easel-save', () => keeper.keep(studio.saved));
// The page may go without another word, when the editor is closed, hidden, or the window reloads.
for (const type of ['blur', 'pagehide']) {
	window.addEventListener(type, () => keeper.flush());
}
document.addEventListener('visibilitychange', () => keeper.flush());

document.body.append(studio);
