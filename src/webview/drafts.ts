import { draftsProtocol } from '../protocol/drafts.js';
import type { ChannelError } from '../protocol/pageEnd.js';
import { connect, vscode } from './connection.js';
import { EaselDrafts } from './easelDrafts.js';

/** The page of a panel in which one of several drafts is chosen. */
export function showDrafts(): void {
	const drafts = document.body.appendChild(new EaselDrafts());
	drafts.role = 'main';
	const extension = connect(draftsProtocol, ({ pictures, state }) => {
		drafts.pictures = pictures;
		vscode.setState(state);
	});
	drafts.addEventListener('easel-draft-use', ({ detail: index }) => {
		// What goes wrong is shown by the extension.
		extension.ask({ type: 'use', index }).catch(() => undefined);
	});
	drafts.addEventListener('easel-drafts-keep', () => {
		extension.ask({ type: 'keepAll' }).catch(() => undefined);
	});
	extension.ask({ type: 'ready' }).catch(({ message }: ChannelError) => {
		drafts.pictures = [{ type: 'problem', name: '', message }];
	});
}
