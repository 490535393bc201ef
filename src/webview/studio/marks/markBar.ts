import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { maxMarkNoteLength } from '../../../images/marks.js';
import { codicon } from '../../codicon.js';
import { hasModifier, isMac, isSendKey } from '../../keys.js';
import { hints, pageLabels, pageMessages } from '../../messages.js';
import { costWords, countOf, draftCost, editedOf, markedId } from '../draft.js';
import { iconButton, segmentedControl } from '../parts.js';
import type { StudioStore } from '../store.js';
import type { EaselMarks } from './easelMarks.js';
import type { MarkTool } from './markGeometry.js';

const tools: readonly MarkTool[] = ['move', 'rectangle', 'area', 'arrow'];

/** Shows an image as it was marked for the edit that is in view. For a `.toolbar`. */
export function showMarksButton(isShown: boolean, toggle: () => void): TemplateResult {
	return html`<button aria-pressed=${isShown ? 'true' : 'false'} @click=${toggle}>
		${codicon('inspect')} ${pageLabels.showMarks}
	</button>`;
}

/** Begins and ends to mark an image in view, and has the tools for it. For a `.toolbar`. */
export function markTools({ marking }: StudioStore, image: string): TemplateResult {
	const { tool } = marking;
	const toggle = () => {
		if (tool === undefined) {
			marking.begin(image);
		} else {
			marking.end();
		}
	};
	return html`
		<div class="buttons mark-tools" role="group" aria-label=${hints.markTools}>
			<button
				aria-pressed=${tool === undefined ? 'false' : 'true'}
				title="${pageLabels.mark} (M)"
				@click=${toggle}
			>
				${codicon('inspect')} ${pageLabels.mark}
			</button>
			${
				tool === undefined
					? nothing
					: html`
							${segmentedControl({
								name: 'mark-tool',
								legend: hints.markTools,
								value: tool,
								options: tools.map((value) => ({ value, label: pageLabels.markTools[value] })),
								choose: (value) => marking.use(value),
							})}
							${stepButton(pageLabels.undo, 'discard', marking.canUndo, () => marking.undo())}
							${stepButton(pageLabels.redo, 'redo', marking.canRedo, () => marking.redo())}
						`
			}
		</div>
	`;
}

function stepButton(
	name: string,
	icon: 'discard' | 'redo',
	isPossible: boolean,
	go: () => void,
): TemplateResult {
	const key = `${isMac ? '⌘' : 'Ctrl+'}${icon === 'redo' ? 'Shift+' : ''}Z`;
	return html`<button
		class="icon"
		aria-label=${name}
		aria-disabled=${isPossible ? 'false' : 'true'}
		title="${name} (${key})"
		@click=${go}
	>
		${codicon(icon)}
	</button>`;
}

/** The note of the selected mark, and what Enter does in it. */
export function markBar(store: StudioStore): TemplateResult | typeof nothing {
	const { marking } = store;
	const { selected, marks, tool } = marking;
	if (tool === undefined) {
		return nothing;
	}
	const mark = selected === undefined ? undefined : marks[selected];
	if (selected === undefined || mark === undefined) {
		return html`<div class="mark-bar row">
			<p class="quiet">${tool === 'move' ? pageMessages.selectingMarks : pageMessages.marking}</p>
		</div>`;
	}
	return html`
		<div class="mark-bar row">
			<span class="number" aria-hidden="true">${selected + 1}</span>
			<input
				id="mark-note"
				type="text"
				dir="auto"
				maxlength=${maxMarkNoteLength}
				aria-label=${hints.markNote(selected + 1)}
				aria-describedby="mark-enter"
				placeholder=${hints.markPlaceholder}
				.value=${live(mark.note)}
				@input=${({ currentTarget }: Event) =>
					marking.writeNote(selected, (currentTarget as HTMLInputElement).value)}
				@keydown=${(event: KeyboardEvent) => onNoteKey(event, store)}
			/>
			<p id="mark-enter" class="quiet cut">${enterWords(store)}</p>
			${iconButton(pageLabels.deleteMark(selected + 1), 'trash', () => marking.remove(selected))}
		</div>
	`;
}

/** Says what Enter does; what is paid for is said before. */
function enterWords(store: StudioStore): string {
	const { composer } = store;
	const action = enterAction(store);
	if (action !== 'send') {
		return hints.markEnter[action];
	}
	const { draft, references = [], setup } = composer;
	const count = countOf(draft, editedOf(references));
	const money = draftCost(draft, references, setup);
	return isMarkedEdited(store)
		? (composer.reason ??
				hints.markEnter.send(costWords(count, setup?.concurrency ?? count, money)))
		: hints.loading;
}

/** Returns whether the extension knows that the marked image is edited. */
function isMarkedEdited({ composer, marking }: StudioStore): boolean {
	const edited = editedOf(composer.references ?? []);
	return edited !== undefined && markedId(edited) === marking.image;
}

/** Returns what Enter does in the note of the selected mark. */
function enterAction({ marking }: StudioStore): 'next' | 'prompt' | 'send' {
	const { marks, selected = 0 } = marking;
	if (selected < marks.length - 1) {
		return 'next';
	}
	// Without words, Enter was perhaps meant for something else, and sending costs money.
	return /\S/.test(marks[selected]?.note ?? '') ? 'send' : 'prompt';
}

/**
 * Does what a key does where an image is being marked; returns whether it was for the marks.
 *
 * @param marks those on that image
 */
export function onMarkingKey(
	{ marking }: StudioStore,
	event: KeyboardEvent,
	marks: EaselMarks | null,
): boolean {
	const isPlain = !hasModifier(event) && !event.shiftKey && !event.repeat;
	const isOnPicture = (event.target as Element).matches('.stage');
	if (marking.tool === undefined) {
		return false;
	}
	if (isUndoKey(event)) {
		// The workbench would undo something else.
		event.stopPropagation();
		if (event.shiftKey || event.key === 'y') {
			marking.redo();
		} else {
			marking.undo();
		}
	} else if (event.key === 'Escape' && isPlain) {
		marking.leave();
	} else if (event.key === 'Enter' && isPlain && isOnPicture && marks !== null) {
		marks.addInMiddle();
	} else {
		return false;
	}
	event.preventDefault();
	return true;
}

function isUndoKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
	return ctrlKey !== metaKey && !altKey && /^[zy]$/i.test(key);
}

function onNoteKey(event: KeyboardEvent, store: StudioStore): void {
	const { composer, focus, marking } = store;
	const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing } = event;
	const isPlain = !ctrlKey && !metaKey && !altKey && !shiftKey && !isComposing;
	if (isSendKey(event) || (isPlain && key === 'Enter')) {
		const action = isPlain ? enterAction(store) : 'send';
		if (action === 'next') {
			marking.select((marking.selected ?? 0) + 1);
			focus.request('markNote');
		} else if (action === 'prompt') {
			focus.request('prompt');
		} else if (!isMarkedEdited(store)) {
			store.notices.announce(hints.loading);
		} else if (!event.repeat) {
			// A key that is held down is not meant to buy one image after another.
			if (composer.reason === undefined) {
				// The image goes out of view with what has the focus in it.
				focus.request('prompt');
			}
			void composer.send();
		}
	} else if (isPlain && key === 'Escape') {
		focus.request('mark');
	} else {
		return;
	}
	event.preventDefault();
	event.stopPropagation();
}
