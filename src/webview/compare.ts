// The page of the Compare editor, or of the choice among drafts: its body says which.
import { compareProtocol, savedStateSchema, type Pair } from '../protocol/compare.js';
import type { ChannelError } from '../protocol/pageEnd.js';
import { connect, vscode } from './connection.js';
import { showDrafts } from './drafts.js';
import { EaselCompare } from './easelCompare.js';

if (document.body.dataset['page'] === 'drafts') {
	showDrafts();
} else {
	showComparison();
}

function showComparison(): void {
	const compare = document.body.appendChild(new EaselCompare());
	compare.role = 'main';
	const saved = savedStateSchema.safeParse(vscode.getState());
	let pair: Pair | undefined;
	if (saved.success) {
		compare.view = saved.data.view;
		pair = saved.data.pair;
	}
	const save = () => {
		if (pair !== undefined) {
			vscode.setState({ pair, view: compare.view });
		}
	};
	const extension = connect(compareProtocol, (shown) => {
		if (pair === undefined && shown.mode !== undefined) {
			compare.view = { ...compare.view, mode: shown.mode };
		}
		({ left: compare.left, right: compare.right, made: compare.made, pair } = shown);
		save();
	});
	compare.addEventListener('easel-compare-change', save);
	compare.addEventListener('easel-compare-undecodable', ({ detail: side }) => {
		// The element says so itself; this is for the log, and nobody misses it.
		extension.ask({ type: 'undecodable', side }).catch(() => undefined);
	});
	compare.addEventListener('easel-compare-decide', ({ detail: decision }) => {
		// What goes wrong is shown by the extension.
		extension.ask({ type: 'decide', decision }).catch(() => undefined);
	});
	extension.ask({ type: 'ready' }).catch(({ message }: ChannelError) => {
		// What has been shown is worth more than why it is not shown anew.
		compare.left ??= { type: 'problem', name: '', message };
	});
}
