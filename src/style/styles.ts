import { posix } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { Serial } from '../files/serial.js';
import { EaselError } from '../easelError.js';
import { columnFor } from '../editor/column.js';
import { wordsOf } from '../editor/errorTexts.js';
import { occurs } from '../editor/events.js';
import { choose, runDetached } from '../editor/messages.js';
import { askPick } from '../editor/quickInput.js';
import { safeText } from '../editor/untrustedText.js';
import { effectivePrompt } from '../recipes/applyStyle.js';
import type { Size } from '../service/contract.js';
import type { ImageRequest } from '../jobs/request.js';
import { parseUri } from '../editor/imageRequest.js';
import { labels, messages, money } from '../messages.js';
import type { RequestPreview } from './requestPreview.js';
import { readStyle, styleFileOf, UnusableStyleError, type ReadStyle } from './styleFile.js';

/** Number of guides of a workspace folder that are known to have been used. */
const maxUsedGuides = 30;
const stateKey = 'styles.used';
const stateSchema = z.record(z.string(), z.array(z.string())).catch({});

/** Style of a folder's images: its style, or none because there is none, or one was left out. */
type Decision = ReadStyle | 'none' | 'leftOut';

type ReasonToShow = 'untrusted' | 'first' | 'changed';

/**
 * The style guides of the workspace folders, and which of them this user has agreed to: a repository
 * brings its guide along, and what it says goes with every prompt.
 */
export class Styles implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	#watching: vscode.Disposable | undefined;
	/** Guides that were agreed to in this window alone, because its workspace is not trusted. */
	readonly #agreed = new Set<string>();
	/** One question at a time: its answer may be that of the next one. */
	readonly #questions = new Serial();

	/** @param state of this workspace */
	constructor(
		private readonly state: vscode.Memento,
		readonly preview: RequestPreview,
	) {}

	/** A guide has changed, come or gone, or another one counts; watched from the first listener on. */
	readonly onDidChange: vscode.Event<void> = (...listener) => {
		this.#watching ??= watchGuides(() => this.#changed.fire());
		return this.#changed.event(...listener);
	};

	dispose(): void {
		this.#changed.dispose();
		this.#watching?.dispose();
	}

	/**
	 * Returns the requests with the style of their folders, after questions about a guide that is
	 * new or cannot be used; `undefined` where nothing is to be sent.
	 */
	async apply(requests: readonly ImageRequest[]): Promise<readonly ImageRequest[] | undefined> {
		return this.#questions.run(() => this.#apply(requests));
	}

	/** The style of a folder as it is now, or why it cannot be used. */
	async look(folder: vscode.Uri | undefined): Promise<ReadStyle | EaselError | undefined> {
		try {
			return folder && (await readStyle(folder));
		} catch (error) {
			if (error instanceof EaselError) {
				return error;
			}
			throw error;
		}
	}

	/** Returns whether {@link apply} asks nothing about the style of a folder as it is now. */
	async isSettled(folder: vscode.Uri | undefined): Promise<boolean> {
		const style = await this.look(folder);
		return (
			folder === undefined ||
			style === undefined ||
			(!(style instanceof EaselError) && this.#isAgreed(folder, style))
		);
	}

	/** Returns whether the user has not agreed to a style of a folder as it is now. */
	isNew(folder: vscode.Uri, style: ReadStyle): boolean {
		return !this.#isAgreed(folder, style);
	}

	/**
	 * Notes that the user has agreed to a style that was shown in full: {@link apply} does not ask about
	 * it then.
	 */
	async agree(folder: vscode.Uri, { sha256 }: ReadStyle): Promise<void> {
		if (!vscode.workspace.isTrusted) {
			this.#agreed.add(`${sha256} ${folder.toString()}`);
			return;
		}
		const used = this.#used(folder);
		if (used[0] !== sha256) {
			const others = used.filter((one) => one !== sha256);
			await this.state.update(stateKey, {
				...stateSchema.parse(this.state.get(stateKey)),
				[folder.toString()]: [sha256, ...others].slice(0, maxUsedGuides),
			});
		}
	}

	/**
	 * Returns the size that images of a folder are offered in, where its style names one. A guide
	 * of a workspace that is not trusted steers nothing before the user has agreed to it.
	 */
	async sizeFor(folder: vscode.Uri | undefined): Promise<Size | undefined> {
		const style = await this.look(folder);
		return folder === undefined || style === undefined || style instanceof EaselError
			? undefined
			: vscode.workspace.isTrusted || this.#isAgreed(folder, style)
				? style.size
				: undefined;
	}

	async #apply(requests: readonly ImageRequest[]): Promise<readonly ImageRequest[] | undefined> {
		const decisions = new Map<string | undefined, Decision>();
		const open = requests.filter(({ style, withoutStyle }) => style === undefined && !withoutStyle);
		for (const [folder, alike] of Map.groupBy(open, ({ workspaceFolder }) => workspaceFolder)) {
			const decision = await this.#decide(alike);
			if (decision === undefined) {
				return undefined;
			}
			decisions.set(folder, decision);
		}
		return requests.map((request) =>
			open.includes(request)
				? withStyle(request, decisions.get(request.workspaceFolder) ?? 'none')
				: request,
		);
	}

	/** @param requests of the same folder */
	async #decide(requests: readonly ImageRequest[]): Promise<Decision | undefined> {
		const folder = parseUri(requests[0]?.workspaceFolder);
		const style = await this.look(folder);
		if (folder === undefined || style === undefined) {
			return 'none';
		}
		if (style instanceof EaselError) {
			return (await askWithoutUnusable(style)) ? 'leftOut' : undefined;
		}
		const answer = this.#isAgreed(folder, style)
			? 'use'
			: await askConsent(style, this.#reasonToShow(folder), requests, this.preview);
		if (answer === 'use') {
			await this.agree(folder, style);
		}
		return answer === 'use' ? style : answer;
	}

	#reasonToShow(folder: vscode.Uri): ReasonToShow {
		const known = this.#used(folder).length === 0 ? 'first' : 'changed';
		return vscode.workspace.isTrusted ? known : 'untrusted';
	}

	#isAgreed(folder: vscode.Uri, { sha256 }: ReadStyle): boolean {
		return vscode.workspace.isTrusted
			? this.#used(folder).includes(sha256)
			: this.#agreed.has(`${sha256} ${folder.toString()}`);
	}

	/** The guides that were used for images of a folder, the last one first. */
	#used(folder: vscode.Uri): readonly string[] {
		return stateSchema.parse(this.state.get(stateKey))[folder.toString()] ?? [];
	}
}

function withStyle(request: ImageRequest, decision: Decision): ImageRequest {
	if (decision === 'none') {
		return request;
	}
	if (decision === 'leftOut') {
		return { ...request, withoutStyle: true };
	}
	const { path, sha256, text, references } = decision;
	const effective = effectivePrompt(request.prompt, text, references.length);
	return {
		...request,
		effectivePrompt: effective === request.prompt ? undefined : effective,
		style: { path, sha256, references: references.map((one) => one.sha256) },
		references: [...request.references, ...references.map(({ uri }) => ({ source: String(uri) }))],
	};
}

/** Watches the style guides of the workspace folders, also those that other settings name later. */
function watchGuides(changed: () => void): vscode.Disposable {
	let watchers = vscode.Disposable.from();
	const watchAll = async () => {
		const folders = vscode.workspace.workspaceFolders ?? [];
		const guides = await Promise.all(
			// What is wrong with the setting is shown when an image is requested.
			folders.map(({ uri }) => styleFileOf(uri).catch(() => undefined)),
		);
		watchers.dispose();
		watchers = vscode.Disposable.from(
			...guides.flatMap((guide) => (guide ? watch(guide, changed) : [])),
		);
	};
	const again = () => {
		runDetached(watchAll());
		changed();
	};
	runDetached(watchAll());
	return vscode.Disposable.from(
		new vscode.Disposable(() => {
			watchers.dispose();
		}),
		vscode.workspace.onDidChangeWorkspaceFolders(again),
		vscode.workspace.onDidGrantWorkspaceTrust(again),
		vscode.workspace.onDidChangeConfiguration((event) => {
			if (event.affectsConfiguration('easel.style')) {
				again();
			}
		}),
	);
}

/** Watches all of its folder, because its name may be a pattern to VS Code. */
function watch(guide: vscode.Uri, changed: () => void): vscode.Disposable[] {
	const folder = vscode.Uri.joinPath(guide, '..');
	const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'));
	const events = [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete];
	const changedIf = ({ path }: vscode.Uri) => (path === guide.path ? changed() : undefined);
	return [watcher, ...events.map((event) => event(changedIf))];
}

/** Longest text of the guide in the question, in UTF-16 code units. */
const maxQuotedLength = 600;

/** Characters that a dialog leaves out or does not show; an editor marks it. */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}]/u;

const {
	showWhatIsSent: show,
	useStyleGuide: use,
	withoutStyle: leaveOut,
	generateWithoutStyle: without,
} = labels;

/** Returns whether a message can show all of a guide's text: the user can only agree to what was shown in full. */
export function isQuotable({ text }: ReadStyle, maxLength: number): boolean {
	return text.length <= maxLength && !unseen.test(text);
}

/** Asks about a guide that is new as it is now; `undefined` where nothing is to be sent. */
async function askConsent(
	style: ReadStyle,
	reason: ReasonToShow,
	requests: readonly ImageRequest[],
	preview: RequestPreview,
): Promise<'use' | 'leftOut' | undefined> {
	const isWhole = isQuotable(style, maxQuotedLength);
	const answer = await choose(
		messages.styleQuestion(safeText(style.path, 100)),
		detailOf(style, reason),
		...(isWhole ? [use] : []),
		show,
		leaveOut,
	);
	if (answer !== show) {
		return answer === use ? 'use' : answer === leaveOut ? 'leftOut' : undefined;
	}
	await openStyleGuide(style.uri);
	await preview.show(requests.map((request) => [request, style]));
	// Not in a dialog: one reads both meanwhile.
	const picked = await askPick({
		title: labels.styleGuide(safeText(style.path, 100)),
		placeholder: messages.readStyle,
		items: [
			{ icon: 'check', label: use, value: 'use' as const },
			{ icon: 'circle-slash', label: leaveOut, value: 'leftOut' as const },
		],
	});
	return picked?.type === 'value' ? picked.value.value : undefined;
}

/** Shows why a style guide cannot be used; returns whether images are to be made without it. */
async function askWithoutUnusable(error: EaselError): Promise<boolean> {
	const open = error.setting === undefined ? labels.openStyleGuide : labels.openSettings;
	const answer = await choose(
		messages.unusableStyle,
		[wordsOf(error), money.notSent],
		open,
		without,
	);
	if (answer === open && error instanceof UnusableStyleError) {
		await openStyleGuide(error.uri, error.line);
	} else if (answer === open) {
		await vscode.commands.executeCommand('workbench.action.openSettings', error.setting);
	}
	return answer === without;
}

/** @param line from 1 */
export async function openStyleGuide(uri: vscode.Uri, line = 1): Promise<void> {
	const document = await vscode.workspace.openTextDocument(uri);
	const at = () => document.validateRange(new vscode.Range(line - 1, 0, line - 1, 0));
	const hasLine = () => document.lineCount >= line;
	const isUpToDate = hasLine();
	const editor = await vscode.window.showTextDocument(document, {
		viewColumn: columnFor(uri),
		selection: at(),
		preview: false,
	});
	if (!isUpToDate) {
		// VS Code has kept the text of an earlier time, and reads the file anew now that it is shown.
		if (!hasLine()) {
			const { onDidChangeTextDocument } = vscode.workspace;
			await occurs(onDidChangeTextDocument, rereadTimeoutMs, hasLine);
		}
		const { start } = at();
		editor.selection = new vscode.Selection(start, start);
		editor.revealRange(at(), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
	}
}

const rereadTimeoutMs = 2000;

function detailOf({ text, references }: ReadStyle, reason: ReasonToShow): string[] {
	const names = references.map(({ uri }) => safeText(posix.basename(uri.path), 60));
	return [
		reasons[reason],
		...(text === '' ? [] : ['', messages.styleText(safeText(text, maxQuotedLength))]),
		...(names.length === 0 ? [] : ['', messages.styleReferences(names)]),
	];
}

const reasons: Record<ReasonToShow, string> = {
	untrusted: messages.styleFromUntrusted,
	first: messages.styleFirst,
	changed: messages.styleChanged,
};
