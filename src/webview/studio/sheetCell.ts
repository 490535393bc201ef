import { html, nothing, type TemplateResult } from 'lit';
import type { SheetFile, SheetPicture } from '../../protocol/studio.js';
import { codicon } from '../codicon.js';
import { rectangleStyle, type Rectangle } from '../geometry.js';
import { shortenedName } from '../shortenedName.js';

interface Cell {
	readonly file: SheetFile;
	/** Missing while it is not known yet. */
	readonly picture: SheetPicture | undefined;
	readonly place: Rectangle;
	/** From 0, of so many. */
	readonly index: number;
	readonly count: number;
	readonly isSelected: boolean;
	/** Whether the tab key leads to it. */
	readonly isTabStop: boolean;
	/** Missing where none can be shown. */
	readonly thumbnail: TemplateResult | undefined;
}

/** Of a name below a small picture, in graphemes: enough for `-10.png`. */
const tailLength = 7;

/** An image of a sheet, with its name below it. */
export function sheetCell(cell: Cell): TemplateResult {
	const { file, picture, place, index, count, isSelected, isTabStop } = cell;
	return html`
		<div
			class="cell"
			role="option"
			tabindex=${isTabStop ? 0 : -1}
			aria-selected=${isSelected ? 'true' : 'false'}
			aria-setsize=${count}
			aria-posinset=${index + 1}
			title=${[file.name, ...detailsOf(picture)].join('\n')}
			data-cell=${file.id}
			.style=${rectangleStyle(place)}
		>
			<span class="caption">${shortenedName(file.name, tailLength)}</span>
			<span class="hidden">${detailsOf(picture).join('\n')}</span>
			<span class="picture" aria-hidden="true" .style="height: ${place.width}px"
				>${pictureOf(cell)}</span
			>
			<span class="check" aria-hidden="true"></span>
		</div>
	`;
}

function pictureOf({ picture, thumbnail }: Cell): TemplateResult | typeof nothing {
	return picture === undefined
		? nothing
		: (thumbnail ??
				html`<span class="none">${codicon('circle-slash')}<small>Cannot be shown</small></span>`);
}

function detailsOf(picture: SheetPicture | undefined): string[] {
	return [picture?.details ?? '', picture?.problem ?? ''].filter((words) => words !== '');
}
