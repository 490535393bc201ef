import type * as vscode from 'vscode';
import { askPick, type ValueItem } from '../editor/quickInput.js';
import { readSetting } from '../editor/settings.js';
import { exportWords, ownPresets, parseExport } from '../images/exports/preset.js';
import { presetMessages } from '../messages.js';
import type { Estimates } from './estimates.js';

/**
 * Asks for an export in words, the last ones first, with the weight of each as soon as it is known.
 *
 * @param image that is weighed
 */
export async function askExport(
	image: vscode.Uri,
	estimates: Estimates,
	last: readonly string[],
	{ title, placeholder }: { readonly title: string; readonly placeholder: string },
): Promise<string | undefined> {
	const presets = Object.entries({ ...ownPresets, ...readSetting('export.presets', image) });
	const nameOf = new Map(presets.map(([name, text]) => [text, name]));
	const item = (value: string, icon?: string): ValueItem => {
		const preset = parseExport(value);
		const words = preset && exportWords(preset);
		return {
			...(icon !== undefined && { icon }),
			label: nameOf.get(value) ?? value,
			description: [words, estimates.wordsFor(value)].filter(Boolean).join(' · '),
			alwaysShow: true,
			value,
		};
	};
	const others = presets.map(([, text]) => text).filter((text) => !last.includes(text));
	const all = [...last, ...others];
	estimates.want(all);
	const itemsFor = (typed: string): readonly ValueItem[] => {
		const text = typed.trim();
		if (parseExport(text) !== undefined) {
			estimates.want([text]);
			return [item(text, 'edit')];
		}
		const words = text.toLowerCase();
		const found = all
			.map((value) => item(value, last.includes(value) ? 'history' : undefined))
			.filter(({ label, description = '' }) =>
				`${label} ${description}`.toLowerCase().includes(words),
			);
		return found.length > 0 ? found : [{ label: presetMessages.notUnderstood, alwaysShow: true }];
	};
	const answer = await askPick<ValueItem>({
		title,
		placeholder,
		items: [],
		itemsFor,
		onDidChangeItems: estimates.onDidChange,
		acceptable: ({ value }) => value !== undefined,
	});
	return answer?.type === 'value' ? answer.value.value : undefined;
}
