import { html, nothing, type TemplateResult } from 'lit';
import { maxMarks } from '../../../images/marks.js';
import { codicon } from '../../codicon.js';
import { hints, pageLabels, pageMessages } from '../../messages.js';
import { editedOf, markedId, marksOn, sentMarks } from '../draft.js';
import { iconButton } from '../parts.js';
import type { StudioStore } from '../store.js';
import { markName } from './markGeometry.js';

/** The marks on the image that is edited, which are sent with it. */
export function marksChip(store: StudioStore): TemplateResult | typeof nothing {
	const { composer, library } = store;
	const { draft, references = [] } = composer;
	const edited = editedOf(references);
	const marks = sentMarks(draft, references);
	if (edited === undefined || marks.length === 0) {
		return nothing;
	}
	const image = markedId(edited);
	const words = hints.marks(marks.length);
	const names = marks.map((mark, index) => markName(mark, index + 1));
	return html`
		<div class="chip row marks">
			${
				library.isImage(image)
					? html`<button
							class="show plain"
							title=${names.join('\n')}
							@click=${() => showMarks(store, image)}
						>
							${codicon('inspect')} ${words}
						</button>`
					: html`<span class="row" title=${names.join('\n')}>${codicon('inspect')} ${words}</span>`
			}
			${iconButton(pageLabels.removeMarks, 'close', () => removeMarks(store, image))}
		</div>
	`;
}

function showMarks({ focus, marking, view }: StudioStore, image: string): void {
	if (view.compared?.includes(image) === true) {
		focus.request('comparison');
	} else {
		view.open(image);
	}
	marking.use('move', image);
}

function removeMarks({ composer, notices, focus }: StudioStore, image: string): void {
	const removed = marksOn(composer.draft, image);
	composer.writeMarks(image, []);
	const restore = () => {
		const now = marksOn(composer.draft, image);
		composer.writeMarks(image, [...removed, ...now].slice(0, maxMarks));
	};
	notices.show({ severity: 'info', text: pageMessages.marksRemoved(removed.length), restore });
	focus.request('prompt');
}
