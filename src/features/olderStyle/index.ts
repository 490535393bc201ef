import type * as vscode from 'vscode';
import { registerCommand, runCommand } from '../../editor/commands.js';
import { inBackground, notify, tellFailure, tellingMistakes } from '../../editor/messages.js';
import { ensureReady } from '../../editor/service.js';
import { whileLooking } from '../../editor/whileLooking.js';
import type { Parts } from '../../generation/parts.js';
import { StyleAges } from '../../generation/styleAges.js';
import { openGuide } from '../../generation/styleQuestions.js';
import { chooseOutdated, title } from './choose.js';
import { findOutdated } from './find.js';

type Needs = Pick<
	Parts,
	'generator' | 'history' | 'jobs' | 'keys' | 'marks' | 'preferences' | 'styles'
>;

/**
 * "Update Images to Current Style…": lists the images that the style guide was not applied to
 * as it is now. Those that are chosen are made again, as one round, and stand beside the old ones.
 */
export function registerOlderStyle(needs: Needs): vscode.Disposable {
	return registerCommand('easel.showOlderStyle', () => tellingMistakes(() => show(needs)));
}

async function show(needs: Needs): Promise<void> {
	const { generator, keys, preferences, styles } = needs;
	const ages = await StyleAges.read(styles);
	const [guide] = ages.all;
	if (guide === undefined) {
		if (ages.problem === undefined) {
			tellNoGuide();
		} else {
			tellFailure(ages.problem);
		}
		return;
	}
	const all = await whileLooking(title, 'images', (_, signal) => findOutdated(ages, needs, signal));
	if (all === undefined) {
		return;
	}
	if (all.length === 0) {
		const words = 'No image of this workspace was made with an older style, or without one.';
		const open = { label: 'Open Style Guide', run: () => openGuide(guide.uri) };
		inBackground(notify('info', words, [open]));
		return;
	}
	if (!(await ensureReady(keys))) {
		return;
	}
	const requests = await chooseOutdated(all, { ages, preferences, preview: styles.preview });
	const styled = requests && (await styles.apply(requests));
	if (styled?.some(({ style }) => style === undefined)) {
		// They would be paid for, and be no nearer to it.
		inBackground(notify('info', 'The style guide was left out, so no image was made again.'));
		return;
	}
	await (styled && generator.makeSeries('Make Images Again', styled));
}

function tellNoGuide(): void {
	const words = 'There is no style guide in this workspace, so no image has an older style.';
	const create = {
		label: 'Create Style Guide…',
		run: () => runCommand('easel.createStyleGuide'),
	};
	inBackground(notify('info', words, [create]));
}
