import * as vscode from 'vscode';
import { imagesOfWorkspace } from '../../editor/images.js';
import type { Memory } from '../../editor/memory.js';
import { askPick, askPickMany, type Answer } from '../../editor/quickInput.js';
import { expectation } from '../../jobs/expectation.js';
import { sizeTable, type Size } from '../../service/contract.js';
import { mostImages } from '../../editor/generation/argument.js';
import type { Choices } from '../../editor/generation/order.js';

const title = 'Generate Image';

const optionsButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('settings-gear'),
	tooltip: 'Options: Quality, Count, Reference Images',
};

/**
 * Asks for prompt and size; Enter, Enter is enough. Quality, count and references stand behind
 * the options button. Returns `undefined` where the user cancelled.
 */
export async function askForImage(start: Choices, memory: Memory): Promise<Choices | undefined> {
	const choices = { ...start };
	let step: 'prompt' | 'size' = 'prompt';
	for (;;) {
		const answer: Answer<string> =
			step === 'prompt' ? await askPrompt(choices, memory) : await askSize(choices, memory);
		if (answer === undefined) {
			return undefined;
		}
		if (answer.type === 'back') {
			step = 'prompt';
			continue;
		}
		if (answer.type === 'button' || answer.value === optionsValue) {
			if (answer.type === 'button' && step === 'prompt') {
				choices.prompt = answer.text;
			}
			if (!(await askOptions(choices))) {
				return undefined;
			}
			continue;
		}
		if (step === 'prompt') {
			choices.prompt = answer.value.trim();
			step = 'size';
			continue;
		}
		choices.size = answer.value as Size;
		return choices;
	}
}

interface ValueItem extends vscode.QuickPickItem {
	/** What the item stands for; none where it only says something. */
	readonly value?: string;
}

/** Stands for the item that opens the options, beside sizes. */
const optionsValue = 'options';

async function askPrompt(choices: Choices, memory: Memory): Promise<Answer<string>> {
	const recent = memory.prompts.map((prompt): ValueItem => ({
		label: `$(history) ${oneLine(prompt)}`,
		value: prompt,
	}));
	const itemsFor = (text: string): ValueItem[] => [
		text.trim() === ''
			? { label: 'Type what the image should show', alwaysShow: true }
			: {
					label: `$(sparkle) ${oneLine(text)}`,
					description: summary(choices),
					alwaysShow: true,
					value: text,
				},
		...(recent.length > 0
			? [
					{ label: 'recent prompts', kind: vscode.QuickPickItemKind.Separator },
					...recent.filter((item) => item.value !== text),
				]
			: []),
	];
	return value(
		await askPick<ValueItem>({
			title,
			step: 1,
			totalSteps: 2,
			placeholder: 'Describe the image, for example: a lighthouse at dusk, flat illustration',
			text: choices.prompt,
			items: [],
			itemsFor,
			buttons: [optionsButton],
			acceptable: (item) => item.value !== undefined,
		}),
	);
}

async function askSize(choices: Choices, memory: Memory): Promise<Answer<string>> {
	const rows = [...sizeTable].sort(
		(a, b) => Number(b.size === choices.size) - Number(a.size === choices.size),
	);
	const items: ValueItem[] = rows.map((row) => ({
		label: row.size,
		description: `${row.ratio} · ${row.use}${row.experimental ? ' · $(beaker) experimental' : ''}`,
		detail:
			row.size === choices.size
				? `${expectation(memory.durations(row.size))} · ${summary({ ...choices })}`
				: undefined,
		value: row.size,
	}));
	return value(
		await askPick<ValueItem>({
			title,
			step: 2,
			totalSteps: 2,
			canGoBack: true,
			placeholder: `Size of “${oneLine(choices.prompt, 50)}”`,
			items: [
				...items,
				{ label: '', kind: vscode.QuickPickItemKind.Separator },
				{
					label: '$(settings-gear) Options…',
					description: 'quality, count, reference images',
					value: optionsValue,
				},
			],
			active: items[0],
			matchOnDescription: true,
			buttons: [optionsButton],
		}),
	);
}

/** Lets the options be changed until the user is content; `false` where everything is cancelled. */
async function askOptions(choices: Choices): Promise<boolean> {
	let active: string | undefined;
	for (;;) {
		const items = [
			{ label: '$(check) Done', description: 'go on', value: 'done' },
			{
				label: '$(star-half) Quality',
				description: qualityWords(choices),
				value: 'quality',
			},
			{
				label: '$(multiple-windows) Number of Images',
				description: String(choices.count),
				value: 'count',
			},
			{
				label: '$(file-media) Reference Images',
				description: referenceWords(choices),
				value: 'references',
			},
		];
		const answer = await askPick<ValueItem>({
			title: `${title}: Options`,
			canGoBack: true,
			placeholder: 'What to change',
			items,
			active: items.find((item) => item.value === active),
		});
		if (answer === undefined) {
			return false;
		}
		if (answer.type !== 'value' || answer.value.value === 'done') {
			return true;
		}
		active = answer.value.value;
		const changed =
			active === 'quality'
				? await askQuality(choices)
				: active === 'count'
					? await askCount(choices)
					: await askReferences(choices);
		if (!changed) {
			return false;
		}
	}
}

async function askQuality(choices: Choices): Promise<boolean> {
	const items = [
		{ label: 'Unset', description: 'the service decides', value: 'unset' },
		{ label: 'High', description: 'takes longer and costs more', value: 'high' },
		{ label: 'Low', description: 'for previews', value: 'low' },
	];
	const answer = await askPick({
		title: `${title}: Quality`,
		canGoBack: true,
		placeholder: 'Quality applies to images without reference images',
		items,
		active: items.find((item) => item.value === choices.quality),
	});
	if (answer?.type === 'value') {
		choices.quality = answer.value.value as Choices['quality'];
	}
	return answer !== undefined;
}

async function askCount(choices: Choices): Promise<boolean> {
	const items = Array.from({ length: mostImages }, (_, index) => ({
		label: String(index + 1),
		description: index === 0 ? 'one image' : `${String(index + 1)} requests, each charged`,
		value: index + 1,
	}));
	const answer = await askPick({
		title: `${title}: Number of Images`,
		canGoBack: true,
		placeholder: 'Each image is a request of its own',
		items,
		active: items[choices.count - 1],
	});
	if (answer?.type === 'value') {
		choices.count = answer.value.value;
	}
	return answer !== undefined;
}

async function askReferences(choices: Choices): Promise<boolean> {
	const chosen = new Set(choices.references.map(String));
	const answer = await askPickMany({
		title: `${title}: Reference Images`,
		canGoBack: true,
		placeholder: 'Images that the new one is based on; they are sent to the service',
		emptyText: 'There is no PNG, JPEG or WebP image in this workspace',
		items: imagesOfWorkspace(),
		selected: (item) => chosen.has(item.uri.toString()),
	});
	if (answer?.type === 'value') {
		choices.references = answer.value.map((item) => item.uri);
	}
	return answer !== undefined;
}

function value(answer: Answer<ValueItem>): Answer<string> {
	return answer?.type === 'value' ? { type: 'value', value: answer.value.value ?? '' } : answer;
}

/** What is chosen besides prompt and size, in a few words. */
function summary(choices: Choices): string {
	const parts = [choices.count === 1 ? '1 image' : `${String(choices.count)} images`];
	if (choices.references.length > 0) {
		parts.push(referenceWords(choices));
	} else if (choices.quality !== 'unset') {
		parts.push(`${choices.quality} quality`);
	}
	return parts.join(' · ');
}

function qualityWords(choices: Choices): string {
	return choices.references.length > 0
		? `${choices.quality} (not sent with reference images)`
		: choices.quality;
}

function referenceWords({ references }: Choices): string {
	switch (references.length) {
		case 0:
			return 'none';
		case 1:
			return '1 reference image';
		default:
			return `${String(references.length)} reference images`;
	}
}

/** A prompt in one line, without the `$(…)` that a label would turn into an icon. */
function oneLine(text: string, longest = 120): string {
	const line = text.replace(/\s+/g, ' ').replaceAll('$(', '$\u200b(').trim();
	return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
