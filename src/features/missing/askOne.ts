import type { MissingImage } from '../../documents/missing/missingIn.js';
import type { Preferences } from '../../editor/preferences.js';
import type { Choices } from '../../generation/draft.js';
import { askSize, pickedSize, separator, summaryOf } from '../../generation/questions.js';
import type { StyleOption } from '../../generation/styleOption.js';
import { askPromptOf, titleOfOne } from './ask.js';

/** Asks for prompt and size of one image; `undefined` where that was cancelled. */
export async function askForOne(
	image: MissingImage,
	start: Choices,
	style: StyleOption,
	preferences: Preferences,
): Promise<Choices | undefined> {
	const choices = { ...start };
	let step: 'prompt' | 'size' = 'prompt';
	for (;;) {
		const answer =
			step === 'prompt'
				? await askPromptOf(image, choices, style)
				: await askSize(choices, preferences, {
						title: titleOfOne,
						summary: summaryOf(choices, style),
						more: [separator(), ...style.items(choices)],
						buttons: style.buttons(choices),
					});
		if (answer === undefined) {
			return undefined;
		}
		if (answer.type === 'back') {
			step = 'prompt';
		} else if (answer.type === 'button') {
			choices.prompt = step === 'prompt' ? answer.text : choices.prompt;
			await style.press(answer.button, choices);
		} else if (step === 'prompt') {
			choices.prompt = answer.value.value?.trim() ?? '';
			step = 'size';
		} else if (!(await style.press(answer.value.value, choices))) {
			return { ...choices, size: pickedSize(answer.value) };
		}
	}
}
