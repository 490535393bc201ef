import type * as vscode from 'vscode';
import { registerCommand, runCommand } from '../../editor/commands.js';
import { runDetached, notify, showError, withErrorMessage } from '../../editor/messages.js';
import { ensureReady } from '../../editor/service.js';
import { searchWithProgress } from '../../editor/searchWithProgress.js';
import type { Services } from '../../generation/services.js';
import { StyleAges } from '../../generation/styleAges.js';
import { openStyleGuide } from '../../generation/styleQuestions.js';
import { chooseOutdated } from './choose.js';
import { findOutdated } from './find.js';
import { restyleMessages } from '../messages.js';
import { labels } from '../../generation/messages.js';
import { commandTitles } from '../../editor/commandTable.js';

type Deps = Pick<
	Services,
	'generator' | 'history' | 'jobs' | 'keys' | 'marks' | 'preferences' | 'styles'
>;

/**
 * "Update Images to Current Style…": lists the images that the style guide was not applied to
 * as it is now. Those that are chosen are made again, as one round, and stand beside the old ones.
 */
export function registerRestyle(deps: Deps): vscode.Disposable {
	return registerCommand('easel.showOlderStyle', () => withErrorMessage(() => show(deps)));
}

async function show(deps: Deps): Promise<void> {
	const { generator, keys, preferences, styles } = deps;
	const ages = await StyleAges.read(styles);
	const [guide] = ages.all;
	if (guide === undefined) {
		if (ages.problem === undefined) {
			tellNoGuide();
		} else {
			showError(ages.problem);
		}
		return;
	}
	const all = await searchWithProgress(
		restyleMessages.title,
		restyleMessages.searchFor,
		(_, signal) => findOutdated(ages, deps, signal),
	);
	if (all === undefined) {
		return;
	}
	if (all.length === 0) {
		const open = { label: labels.openStyleGuide, run: () => openStyleGuide(guide.uri) };
		runDetached(notify('info', restyleMessages.allCurrent, [open]));
		return;
	}
	if (!(await ensureReady(keys))) {
		return;
	}
	const requests = await chooseOutdated(all, { ages, preferences, preview: styles.preview });
	const styled = requests && (await styles.apply(requests));
	if (styled?.some(({ style }) => style === undefined)) {
		// They would be paid for, and be no nearer to it.
		runDetached(notify('info', restyleMessages.leftOut));
		return;
	}
	await (styled && generator.makeSeries(restyleMessages.series, styled));
}

function tellNoGuide(): void {
	const create = {
		label: commandTitles['easel.createStyleGuide'],
		run: () => runCommand('easel.createStyleGuide'),
	};
	runDetached(notify('info', restyleMessages.noGuide, [create]));
}
