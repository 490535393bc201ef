import { html, type TemplateResult } from 'lit';
import add from '@vscode/codicons/src/icons/add.svg';
import arrowLeft from '@vscode/codicons/src/icons/arrow-left.svg';
import check from '@vscode/codicons/src/icons/check.svg';
import chevronDown from '@vscode/codicons/src/icons/chevron-down.svg';
import chevronLeft from '@vscode/codicons/src/icons/chevron-left.svg';
import chevronRight from '@vscode/codicons/src/icons/chevron-right.svg';
import circleSlash from '@vscode/codicons/src/icons/circle-slash.svg';
import close from '@vscode/codicons/src/icons/close.svg';
import closeAll from '@vscode/codicons/src/icons/close-all.svg';
import copy from '@vscode/codicons/src/icons/copy.svg';
import edit from '@vscode/codicons/src/icons/edit.svg';
import ellipsis from '@vscode/codicons/src/icons/ellipsis.svg';
import error from '@vscode/codicons/src/icons/error.svg';
import exported from '@vscode/codicons/src/icons/export.svg';
import eye from '@vscode/codicons/src/icons/eye.svg';
import fileMedia from '@vscode/codicons/src/icons/file-media.svg';
import fold from '@vscode/codicons/src/icons/fold.svg';
import folderOpened from '@vscode/codicons/src/icons/folder-opened.svg';
import gitCompare from '@vscode/codicons/src/icons/git-compare.svg';
import goToFile from '@vscode/codicons/src/icons/go-to-file.svg';
import history from '@vscode/codicons/src/icons/history.svg';
import info from '@vscode/codicons/src/icons/info.svg';
import insert from '@vscode/codicons/src/icons/insert.svg';
import link from '@vscode/codicons/src/icons/link.svg';
import loading from '@vscode/codicons/src/icons/loading.svg';
import question from '@vscode/codicons/src/icons/question.svg';
import quote from '@vscode/codicons/src/icons/quote.svg';
import refresh from '@vscode/codicons/src/icons/refresh.svg';
import replace from '@vscode/codicons/src/icons/replace.svg';
import saveAs from '@vscode/codicons/src/icons/save-as.svg';
import search from '@vscode/codicons/src/icons/search.svg';
import sparkle from '@vscode/codicons/src/icons/sparkle.svg';
import starEmpty from '@vscode/codicons/src/icons/star-empty.svg';
import starFull from '@vscode/codicons/src/icons/star-full.svg';
import symbolColor from '@vscode/codicons/src/icons/symbol-color.svg';
import sync from '@vscode/codicons/src/icons/sync.svg';
import table from '@vscode/codicons/src/icons/table.svg';
import trash from '@vscode/codicons/src/icons/trash.svg';
import unfold from '@vscode/codicons/src/icons/unfold.svg';
import warning from '@vscode/codicons/src/icons/warning.svg';

const drawings = {
	add,
	'arrow-left': arrowLeft,
	check,
	'chevron-down': chevronDown,
	'chevron-left': chevronLeft,
	'chevron-right': chevronRight,
	'circle-slash': circleSlash,
	close,
	'close-all': closeAll,
	copy,
	edit,
	ellipsis,
	error,
	export: exported,
	eye,
	'file-media': fileMedia,
	fold,
	'folder-opened': folderOpened,
	'git-compare': gitCompare,
	'go-to-file': goToFile,
	history,
	info,
	insert,
	link,
	loading,
	question,
	quote,
	refresh,
	replace,
	'save-as': saveAs,
	search,
	sparkle,
	'star-empty': starEmpty,
	'star-full': starFull,
	'symbol-color': symbolColor,
	sync,
	table,
	trash,
	unfold,
	warning,
} as const;

/** An icon of VS Code, by its name there. */
export type IconName = keyof typeof drawings;

/** The same object for the same drawing: it is parsed once, and cloned after that. */
const parsed = new Map<IconName, TemplateResult>();

/**
 * Draws an icon of VS Code in the color of the text around it. It is there at once: nothing is
 * loaded for it. Screen readers do not see it.
 *
 * @param size in pixels
 */
export function codicon(name: IconName, size: 12 | 16 | 32 = 16): TemplateResult {
	return html`<span class="codicon size-${size}" aria-hidden="true">${drawingOf(name)}</span>`;
}

function drawingOf(name: IconName): TemplateResult {
	const known = parsed.get(name);
	if (known !== undefined) {
		return known;
	}
	// A template without places to fill, of a text that came with the package.
	const strings = [drawings[name]];
	const drawing = html(Object.assign(strings, { raw: strings }));
	parsed.set(name, drawing);
	return drawing;
}
