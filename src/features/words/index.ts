import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import { notify, runDetached, toSafeError, withErrorMessage } from '../../editor/messages.js';
import { Problems } from '../../editor/problems.js';
import { provideCodeActions } from '../../editor/providers.js';
import { readSetting } from '../../editor/settings.js';
import type { Arrival } from '../../generation/jobRunner.js';
import { areModelsOn } from '../../models/languageModels.js';
import { labels } from '../../messages.js';
import { openSettings } from '../../generation/report.js';
import type { Services } from '../../services.js';
import { proposeAltText } from './altText.js';
import { log } from '../../log.js';
import { wordsMessages } from '../messages.js';
import { checkArrived, checkWords } from './checkWords.js';

/**
 * Registers words by a language model on pictures: an alt text, and whether their words are right.
 */
export function registerWords(deps: Services): vscode.Disposable {
	const problems = new Problems();
	let hasFailed = false;
	/** Images do not wait for it, and their messages count more: a failure is shown once. */
	const checkByItself = async (arrival: Arrival) => {
		try {
			if (readSetting('words.checkAfterGenerating') && areModelsOn()) {
				await checkArrived(arrival, problems, deps);
			}
		} catch (error) {
			const { message } = toSafeError(error);
			log.warn(`The words of a new picture were not checked: ${message}`);
			if (!hasFailed) {
				hasFailed = true;
				const setting = 'easel.words.checkAfterGenerating';
				const openSetting = { label: labels.openSettings, run: () => openSettings(setting) };
				const words = wordsMessages.notChecked(message);
				await notify('warning', words, [openSetting]);
			}
		}
	};
	return vscode.Disposable.from(
		problems,
		deps.generator.onArrived((arrival) => {
			runDetached(checkByItself(arrival));
		}),
		registerCommand('easel.proposeAltText', (image) =>
			withErrorMessage(() => proposeAltText(image, deps)),
		),
		registerCommand('easel.selectLanguageModel', () =>
			withErrorMessage(() => deps.models.select()),
		),
		registerCommand('easel.checkWords', (image) =>
			withErrorMessage(() => checkWords(image, problems, deps)),
		),
		provideCodeActions('*', vscode.CodeActionKind.QuickFix, (_document, _range, context) =>
			Promise.resolve(problems.fixes((context as vscode.CodeActionContext).diagnostics)),
		),
	);
}
