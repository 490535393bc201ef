import type * as vscode from 'vscode';
import { wordsOf } from '../../editor/errorTexts.js';
import { EaselError } from '../../easelError.js';
import { safeName, safeText } from '../../editor/untrustedText.js';
import type { ReadStyle } from '../../style/styleFile.js';
import type { StudioDeps } from './deps.js';
import { readService, readServiceAddress, readSizes } from '../../editor/service.js';
import { readPrices } from '../../editor/money.js';
import { readSetting, settingOr } from '../../editor/settings.js';
import type { StudioEvent } from '../../protocol/studio.js';
import { takesTransparency } from '../../service/services.js';
import { sizeProblem, sizeTable } from '../../service/sizes.js';
import type { SetupProblem, Style } from '../../protocol/studioModel.js';
import { studioMessages } from '../messages.js';

/** State that the page needs before anything can be composed. */
type Setup = Omit<Extract<StudioEvent, { readonly type: 'setup' }>, 'type'>;

/**
 * Returns what there is to choose from, and what has to be done before anything can be sent.
 * `mistakes` are settings that make no sense, in words for people: another value stands in for
 * each, so that there is something to choose from all the same.
 *
 * @param place where the user is at, because a workspace folder may have settings of its own
 * @param folder the workspace folder whose style guide counts
 * @param lastPrompt that of the message that was sent last; empty where there is none
 */
export async function setupOf(
	{ keys, preferences, styles }: StudioDeps,
	place?: vscode.Uri,
	folder?: vscode.Uri,
	lastPrompt = '',
): Promise<{ readonly setup: Setup; readonly mistakes: readonly string[] }> {
	const mistakes: string[] = [];
	const read = <T>(setting: () => T, otherwise: T) =>
		settingOr(setting, ({ message }) => mistakes.push(message)) ?? otherwise;
	const others = [...preferences.prompts('generate'), ...preferences.prompts('edit')];
	const prompts = new Set(lastPrompt === '' ? others : [lastPrompt, ...others]);
	const style = await styles.look(folder);
	const ofStyle = await styles.sizeFor(folder);
	const prices = read(readPrices, undefined);
	const service = settingOr(readService);
	const size = ofStyle ?? read(() => preferences.offeredSize(place), 'auto');
	const setup = {
		sizes: read(readSizes, sizeTable).map((row) => ({ ...row })),
		...(service?.sizeRule && { sizeRule: { ...service.sizeRule } }),
		qualities: ['unset' as const, ...(service?.qualities ?? [])],
		editsTakeQuality: service?.editsTakeQuality ?? false,
		offersTransparency: service !== undefined && takesTransparency(service),
		...(service?.maxReferences && { maxReferences: service.maxReferences }),
		defaults: {
			size: (service && sizeProblem(size, service)?.nearest) ?? size,
			quality: read(() => readSetting('image.quality', place), 'unset'),
		},
		missing: await missingSetup(keys),
		concurrency: read(() => readSetting('service.concurrency'), 1),
		...(prices === undefined ? {} : { prices }),
		history: [...prompts].slice(0, 100),
		...(style === undefined ? {} : { style: shownStyle(style) }),
	};
	return { setup, mistakes };
}

function shownStyle(style: ReadStyle | EaselError): Style {
	return style instanceof EaselError
		? { name: studioMessages.styleGuide, references: 0, problem: safeText(wordsOf(style), 1000) }
		: {
				name: safeName(style, 100),
				sha256: style.sha256,
				references: style.references.length,
			};
}

async function missingSetup(keys: StudioDeps['keys']): Promise<SetupProblem[]> {
	const address = settingOr(readServiceAddress);
	if (address === undefined) {
		return ['address'];
	}
	const needsKey = settingOr(readService)?.keyIsOptional !== true;
	return needsKey && (await keys.get(address)) === undefined ? ['key'] : [];
}
